import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';
import type { Quotes } from '../../domain/prices';
import type { TransactionTerms } from '../../domain/transactions';
import type {
  AssetKind,
  EncryptedAmount,
  FeePriority,
  ReplacementKind,
  TransferForm,
  TransferOptions,
  TransferState,
} from '../../domain/transfers';
import type { Blocker } from '../../domain/waiting-stages';

@Entity('transfers')
export class OutgoingEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'form' })
  readonly form!: TransferForm;

  @Column('text', { name: 'wallet_id' })
  readonly walletId!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'requester_user_id' })
  readonly requesterUserId!: string;

  @Column('text', { name: 'requester_token_id', nullable: true })
  readonly requesterTokenId!: string | null;

  /** The signed evidence of the initiator; null in rows from earlier releases. */
  @Column('text', { name: 'user_action_id', nullable: true })
  readonly userActionId!: string | null;

  @Column('jsonb', { name: 'request_body' })
  readonly requestBody!: Readonly<Record<string, unknown>>;

  @Column('text', { name: 'request_digest' })
  readonly requestDigest!: string;

  @Column('text', { name: 'travel_rule_digest', nullable: true })
  readonly travelRuleDigest!: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  readonly externalId!: string | null;

  @Column('text', { name: 'asset_kind' })
  readonly assetKind!: AssetKind | 'Call';

  @Column('text', { name: 'contract', nullable: true })
  readonly contract!: string | null;

  /** As decimal digits. */
  @Column('text', { name: 'token_id', nullable: true })
  readonly tokenId!: string | null;

  @Column('jsonb', { name: 'options' })
  readonly options!: TransferOptions;

  @Column('text', { name: 'from_address' })
  readonly fromAddress!: string;

  /** Null if the wallet pays the fee. */
  @Column('text', { name: 'fee_sponsor_id', nullable: true })
  readonly feeSponsorId!: string | null;

  /**
   * True if the request is older than the migration after which verdicts cover the fee sponsor. Only that migration can set the
   * value.
   */
  @Column({ type: 'boolean', name: 'leaves_sponsor_out', insert: false, update: false })
  readonly leavesSponsorOut!: boolean;

  @Column('text', { name: 'sponsor_address', nullable: true })
  readonly sponsorAddress!: string | null;

  /** The address of the sponsor, or the wallet's address if no sponsor pays the fee. Postgres computes this column. */
  @Column({ type: 'text', name: 'lane_address', insert: false, update: false })
  readonly laneAddress!: string;

  @Column('text', { name: 'to_address' })
  readonly toAddress!: string;

  @Column('numeric', { name: 'amount_units' })
  readonly amountUnits!: string;

  /**
   * The encrypted amount, which the transaction's bytes contain instead of the plain amount. Null for a token that shows amounts,
   * and before the encryption.
   */
  @Column('jsonb', { name: 'encrypted_amount', nullable: true })
  readonly encryptedAmount!: EncryptedAmount | null;

  @Column('text', { name: 'priority' })
  readonly priority!: FeePriority;

  @Column('text', { name: 'asset_symbol', nullable: true })
  readonly assetSymbol!: string | null;

  @Column('integer', { name: 'asset_decimals', nullable: true })
  readonly assetDecimals!: number | null;

  @Column('boolean', { name: 'asset_verified' })
  readonly assetVerified!: boolean;

  /** The price per whole unit at the time of the request; null if the price was unknown. */
  @Column('jsonb', { name: 'asset_quotes', nullable: true })
  readonly assetQuotes!: Quotes | null;

  @Column('numeric', { name: 'fee_ceiling_units' })
  readonly feeCeilingUnits!: string;

  /** Null for a transfer. */
  @Column('jsonb', { name: 'terms', nullable: true })
  readonly terms!: TransactionTerms | null;

  @Column('integer', { name: 'asked_nonce', nullable: true })
  readonly askedNonce!: number | null;

  @Column('text', { name: 'state' })
  readonly state!: TransferState;

  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('text', { name: 'tx_hash', nullable: true })
  readonly txHash!: string | null;

  @Column('numeric', { name: 'fee_units', nullable: true })
  readonly feeUnits!: string | null;

  @Column('text', { name: 'approval_id', nullable: true })
  readonly approvalId!: string | null;

  @Column('text', { name: 'verdict_id', nullable: true })
  readonly verdictId!: string | null;

  @Column('integer', { name: 'policy_epoch', nullable: true })
  readonly policyEpoch!: number | null;

  @Column('timestamptz', { name: 'waiting_since', nullable: true })
  readonly waitingSince!: Date | null;

  /** Read by `domain/waiting-stages.ts`. */
  @Column('jsonb', { name: 'hindrance', nullable: true })
  readonly hindrance!: Blocker | null;

  /** Null unless this request speeds up or cancels another request. */
  @Column('text', { name: 'replacement_kind', nullable: true })
  readonly replacementKind!: ReplacementKind | null;

  @Column('text', { name: 'replaces_id', nullable: true })
  readonly replacesId!: string | null;

  /** The last request that speeds up or cancels this request. */
  @Column('text', { name: 'replaced_by_id', nullable: true })
  readonly replacedById!: string | null;

  /** The request whose claims (reserved nonces and coins) this request shares; null if this request has its own claims. */
  @Column('text', { name: 'claims_of', nullable: true })
  readonly claimsOf!: string | null;

  /** The signature request whose unsent transaction this request replaces. */
  @Column('text', { name: 'cancels_signature_id', nullable: true })
  readonly cancelsSignatureId!: string | null;

  /** The request whose transaction this request pays for by a child transaction (CPFP). */
  @Column('text', { name: 'pays_for_id', nullable: true })
  readonly paysForId!: string | null;

  /** The last request whose child transaction pays for this request. */
  @Column('text', { name: 'paid_for_by_id', nullable: true })
  readonly paidForById!: string | null;

  /**
   * True if the service itself made the request, so that other transactions of the sender can proceed. The requester is copied
   * from the request or signature that this request helps or replaces.
   */
  @Column('boolean', { name: 'made_by_service' })
  readonly madeByService!: boolean;

  /** When a caller requested the end of this request while the signer had its bytes. */
  @Column('timestamptz', { name: 'abort_asked', nullable: true })
  readonly abortAsked!: Date | null;

  /** The earlier equal payment; null if this request was never a possible duplicate. */
  @Column('text', { name: 'equal_to_id', nullable: true })
  readonly equalToId!: string | null;

  /** A possible duplicate fails at this date unless a person confirms the request. */
  @Column('timestamptz', { name: 'equal_until', nullable: true })
  readonly equalUntil!: Date | null;

  @Column('timestamptz', { name: 'equal_confirmed', nullable: true })
  readonly equalConfirmed!: Date | null;

  @Column('text', { name: 'equal_confirmed_by', nullable: true })
  readonly equalConfirmedBy!: string | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_requested' })
  readonly dateRequested!: Date;

  @Column('timestamptz', { name: 'date_policy_resolved', nullable: true })
  readonly datePolicyResolved!: Date | null;

  @Column('timestamptz', { name: 'date_broadcasted', nullable: true })
  readonly dateBroadcasted!: Date | null;

  @Column('timestamptz', { name: 'date_confirmed', nullable: true })
  readonly dateConfirmed!: Date | null;
}
