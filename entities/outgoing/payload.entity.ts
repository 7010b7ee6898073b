import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';

@Entity('payloads')
export class PayloadEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'transfer_id' })
  readonly transferId!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'from_address' })
  readonly fromAddress!: string;

  /** Null if the family has no nonces. */
  @Column('integer', { name: 'nonce', nullable: true })
  readonly nonce!: number | null;

  /** The data that signing needs in addition to the bytes; null if the bytes contain everything. */
  @Column('jsonb', { name: 'context', nullable: true })
  readonly context!: Readonly<Record<string, unknown>> | null;

  /** Null if the transaction contains no operation. */
  @Column('text', { name: 'operation_hash', nullable: true })
  readonly operationHash!: string | null;

  @Column('text', { name: 'unsigned_hex' })
  readonly unsignedHex!: string;

  @Column('text', { name: 'digest_hex' })
  readonly digestHex!: string;

  @Column('numeric', { name: 'max_fee_units' })
  readonly maxFeeUnits!: string;

  @Column('text', { name: 'raw_hex', nullable: true })
  readonly rawHex!: string | null;

  @Column('text', { name: 'tx_hash', nullable: true })
  readonly txHash!: string | null;

  /** `Replaced` if another payload with the same claims became final. */
  @Column('text', { name: 'state' })
  readonly state!: 'Built' | 'Signed' | 'Broadcasted' | 'Included' | 'Final' | 'Replaced';

  @Column('integer', { name: 'included_height', nullable: true })
  readonly includedHeight!: number | null;

  @Column('text', { name: 'included_hash', nullable: true })
  readonly includedHash!: string | null;

  @Column('boolean', { name: 'included_success', nullable: true })
  readonly includedSuccess!: boolean | null;

  @Column('numeric', { name: 'fee_units', nullable: true })
  readonly feeUnits!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_signed', nullable: true })
  readonly dateSigned!: Date | null;

  @Column('timestamptz', { name: 'date_sent', nullable: true })
  readonly dateSent!: Date | null;

  /**
   * When the service found that a transaction which it had not signed used the nonce of the payload. Null unless others may still
   * execute the operation in the payload.
   */
  @Column('timestamptz', { name: 'date_spent_elsewhere', nullable: true })
  readonly dateSpentElsewhere!: Date | null;
}
