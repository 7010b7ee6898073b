import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';
import type { AbiEntry, RegistryStatus } from '../../domain/registry';

@Entity('contract_schemas')
export class ContractSchemaEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'contract' })
  readonly contract!: string;

  @Column('jsonb', { name: 'abi' })
  readonly abi!: readonly AbiEntry[];

  @Column('text', { name: 'status' })
  readonly status!: RegistryStatus;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;
}
