import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Direction, MovementKind, MovementStatus } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';
import type { Quotes } from '../../domain/prices';

@Entity('movements')
export class MovementEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** The id of a wallet or of an address watch. */
  @PrimaryColumn('text', { name: 'subject_id' })
  readonly subjectId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'direction' })
  readonly direction!: Direction;

  @Column('text', { name: 'kind' })
  readonly kind!: MovementKind;

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

  @Column('text', { name: 'ordinal' })
  readonly ordinal!: string;

  @Column('bigint', { name: 'place' })
  readonly place!: string;

  @Column('text', { name: 'log_index', nullable: true })
  readonly logIndex!: string | null;

  /** The contract or mint of a token. Null for the native asset. */
  @Column('text', { name: 'contract', nullable: true })
  readonly contract!: string | null;

  @Column('text', { name: 'token_id', nullable: true })
  readonly tokenId!: string | null;

  @Column('text', { name: 'from_address', nullable: true })
  readonly fromAddress!: string | null;

  @Column('text', { name: 'to_address', nullable: true })
  readonly toAddress!: string | null;

  /** All senders and all recipients. Null unless the family's transactions have lists of them. */
  @Column('text', { name: 'from_addresses', array: true, nullable: true })
  readonly fromAddresses!: readonly string[] | null;

  @Column('text', { name: 'to_addresses', array: true, nullable: true })
  readonly toAddresses!: readonly string[] | null;

  /** Null for a token without amounts, and for an amount that only the network can read. */
  @Column('numeric', { name: 'amount_units', nullable: true })
  readonly amountUnits!: string | null;

  /** Null unless the subject paid the fee of the transaction. */
  @Column('numeric', { name: 'fee_units', nullable: true })
  readonly feeUnits!: string | null;

  /** True on the movement with the fee if the transaction failed and moved nothing else. */
  @Column('boolean', { name: 'is_reverted' })
  readonly isReverted!: boolean;

  @Column('text', { name: 'symbol', nullable: true })
  readonly symbol!: string | null;

  @Column('integer', { name: 'decimals', nullable: true })
  readonly decimals!: number | null;

  @Column('boolean', { name: 'is_verified' })
  readonly isVerified!: boolean;

  /** The price of one whole unit of the asset when the block was read. Null if no price was known. */
  @Column('jsonb', { name: 'quotes', nullable: true })
  readonly quotes!: Quotes | null;

  @Column('jsonb', { name: 'fee_quotes', nullable: true })
  readonly feeQuotes!: Quotes | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /** When the row got its present block. Null for rows that are older than this column. */
  @Column('timestamptz', { name: 'date_recorded', nullable: true })
  readonly dateRecorded!: Date | null;
}
