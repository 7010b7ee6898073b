import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';
import type { RegistryStatus } from '../../domain/registry';

@Entity('registry_addresses')
export class RegistryAddressEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'address' })
  readonly address!: string;

  @Column('text', { name: 'status' })
  readonly status!: RegistryStatus;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  /**
   * The entry takes effect at this date. The delay prevents a stolen session from adding a recipient and paying that recipient
   * at once.
   */
  @Column('timestamptz', { name: 'date_active' })
  readonly dateActive!: Date;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;
}
