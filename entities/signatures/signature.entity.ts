import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';
import type { RequestedPayload, SignatureKind, SignatureState, SignatureValue } from '../../domain/signatures';
import type { Blocker } from '../../domain/waiting-stages';

@Entity('signatures')
export class SignatureEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'key_id' })
  readonly keyId!: string;

  /** Null for a request that specifies the key instead of a wallet. */
  @Column('text', { name: 'wallet_id', nullable: true })
  readonly walletId!: string | null;

  /** The network of the wallet if the request does not specify a network. */
  @Column('text', { name: 'network', nullable: true })
  readonly network!: string | null;

  @Column('text', { name: 'kind' })
  readonly kind!: SignatureKind;

  @Column('text', { name: 'requester_user_id' })
  readonly requesterUserId!: string;

  @Column('text', { name: 'requester_token_id', nullable: true })
  readonly requesterTokenId!: string | null;

  /** The signed evidence of the initiator. */
  @Column('text', { name: 'user_action_id' })
  readonly userActionId!: string;

  @Column('jsonb', { name: 'request_body' })
  readonly requestBody!: Readonly<Record<string, unknown>>;

  @Column('text', { name: 'request_digest' })
  readonly requestDigest!: string;

  @Column('text', { name: 'external_id', nullable: true })
  readonly externalId!: string | null;

  @Column('jsonb', { name: 'payload' })
  readonly payload!: RequestedPayload;

  /** Null unless the request is a filled-in `OpenTransaction`. */
  @Column('text', { name: 'filled_hex', nullable: true })
  readonly filledHex!: string | null;

  /**
   * This column and the next five are set only if the request signs a transaction. The last two are the maximum amounts that the
   * transaction may take from the balances, in smallest units: `nativeUnits` of the native asset, and `tokenUnits` of the token
   * `contract`.
   */
  @Column('text', { name: 'claim_network', nullable: true })
  readonly claimNetwork!: NetworkName | null;

  @Column('text', { name: 'from_address', nullable: true })
  readonly fromAddress!: string | null;

  @Column('integer', { name: 'nonce', nullable: true })
  readonly nonce!: number | null;

  @Column('text', { name: 'contract', nullable: true })
  readonly contract!: string | null;

  @Column('numeric', { name: 'native_units', nullable: true })
  readonly nativeUnits!: string | null;

  @Column('numeric', { name: 'token_units', nullable: true })
  readonly tokenUnits!: string | null;

  @Column('text', { name: 'state' })
  readonly state!: SignatureState;

  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('jsonb', { name: 'signatures', nullable: true })
  readonly signatures!: readonly SignatureValue[] | null;

  @Column('text', { name: 'signed_data', nullable: true })
  readonly signedData!: string | null;

  @Column('text', { name: 'tx_hash', nullable: true })
  readonly txHash!: string | null;

  /**
   * The fee that a wallet paid for the confirmed transaction, in smallest units of the native asset. Null if another party paid,
   * or if the fee was paid in a token.
   */
  @Column('numeric', { name: 'fee_units', nullable: true })
  readonly feeUnits!: string | null;

  /**
   * `transaction` is the complete transaction of a PSBT as 0x-hex. `cancelledBy` is the last request to cancel the signed
   * transaction. For a filled-in transaction, `feeCeiling` is the maximum fee, and the reservation of the nonce ends at
   * `lapsesAt`.
   */
  @Column('jsonb', { name: 'details', nullable: true })
  readonly details!: {
    readonly transaction?: string;
    readonly cancelledBy?: string;
    readonly feeCeiling?: string;
    readonly lapsesAt?: string;
  } | null;

  @Column('text', { name: 'approval_id', nullable: true })
  readonly approvalId!: string | null;

  @Column('text', { name: 'verdict_id', nullable: true })
  readonly verdictId!: string | null;

  @Column('integer', { name: 'policy_epoch', nullable: true })
  readonly policyEpoch!: number | null;

  /** Read by `domain/waiting-stages.ts`. */
  @Column('jsonb', { name: 'hindrance', nullable: true })
  readonly hindrance!: Blocker | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_requested' })
  readonly dateRequested!: Date;

  @Column('timestamptz', { name: 'date_policy_resolved', nullable: true })
  readonly datePolicyResolved!: Date | null;

  @Column('timestamptz', { name: 'date_signed', nullable: true })
  readonly dateSigned!: Date | null;

  @Column('timestamptz', { name: 'date_confirmed', nullable: true })
  readonly dateConfirmed!: Date | null;
}
