import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PaymentKind } from '../../domain/movements';

@Entity('incoming_transactions')
export class IncomingTransactionEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'wallet_id' })
  readonly walletId!: string;

  /** Null in a row from an earlier release, which recorded only ERC-20 tokens. */
  @Column('text', { name: 'kind', nullable: true })
  readonly kind!: PaymentKind | null;

  @Column('text', { name: 'network' })
  readonly network!: string;

  @Column('text', { name: 'tx_hash' })
  readonly txHash!: string;

  /** The `ordinal` of the movement, which stays the same if a reorganisation moves the transaction into another block. */
  @Column('text', { name: 'index_in_tx' })
  readonly indexInTx!: string;

  /** The index of the log within the block. Null if no log reports the movement. */
  @Column('text', { name: 'log_index', nullable: true })
  readonly logIndex!: string | null;

  @Column('bigint', { name: 'block_number' })
  readonly blockNumber!: string;

  /** Null if the chain does not name a sender. */
  @Column('text', { name: 'from_address', nullable: true })
  readonly fromAddress!: string | null;

  /** All senders. Null unless the family's transactions have a list of them. */
  @Column('text', { name: 'from_addresses', array: true, nullable: true })
  readonly fromAddresses!: readonly string[] | null;

  @Column('text', { name: 'to_address' })
  readonly toAddress!: string;

  /** The contract or mint of a token. Null for the native asset. */
  @Column('text', { name: 'contract', nullable: true })
  readonly contract!: string | null;

  @Column('numeric', { name: 'amount_units' })
  readonly amountUnits!: string;

  @Column('integer', { name: 'decimals' })
  readonly decimals!: number;

  @Column('text', { name: 'symbol', nullable: true })
  readonly symbol!: string | null;

  @Column('text', { name: 'verdict_id', nullable: true })
  readonly verdictId!: string | null;

  /** When the service detected the transaction in a block. */
  @Column('timestamptz', { name: 'date_detected' })
  readonly dateDetected!: Date;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /** Null until the policies have judged the transaction. */
  @Column('timestamptz', { name: 'date_judged', nullable: true })
  readonly dateJudged!: Date | null;
}
