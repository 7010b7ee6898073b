import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ContractEventData } from '../../domain/contract-events';
import type { MovementStatus } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';

/** A decoded log that concerns a wallet or an address watch and is not a movement. */
@Entity('contract_events')
export class ContractEventEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** The id of a wallet or of an address watch. */
  @PrimaryColumn('text', { name: 'subject_id' })
  readonly subjectId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'status' })
  readonly status!: MovementStatus;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('bigint', { name: 'block_height' })
  readonly blockHeight!: string;

  @Column('text', { name: 'block_hash' })
  readonly blockHash!: string;

  @Column('timestamptz', { name: 'date_mined' })
  readonly dateMined!: Date;

  @Column('text', { name: 'tx_hash' })
  readonly txHash!: string;

  /** The number that orders the event among the events and movements of its block. */
  @Column('bigint', { name: 'place' })
  readonly place!: string;

  @Column('text', { name: 'log_index' })
  readonly logIndex!: string;

  /** The contract that emitted the log. Null if the row represents logs from several contracts. */
  @Column('text', { name: 'contract', nullable: true })
  readonly contract!: string | null;

  @Column('jsonb', { name: 'data' })
  readonly data!: ContractEventData;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
