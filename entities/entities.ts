import { AccessTokenEntity } from './access-tokens/access-token.entity';
import { AddressWatchEntity } from './address-watches/address-watch.entity';
import { ApprovalEntity } from './approvals/approval.entity';
import { ApprovalApproverEntity } from './approvals/approval-approver.entity';
import { ApprovalNoticeEntity } from './approvals/approval-notice.entity';
import { ApprovalVoteEntity } from './approvals/approval-vote.entity';
import { AuditCheckpointEntity } from './audit-logs/audit-checkpoint.entity';
import { AuditEntryEntity } from './audit-logs/audit-entry.entity';
import { AuditHeadEntity } from './audit-logs/audit-head.entity';
import { AuditPendingEntity } from './audit-logs/audit-pending.entity';
import { AuditPlaceEntity } from './audit-logs/audit-place.entity';
import { BackfillEntity } from './backfills/backfill.entity';
import { BacktestEntity } from './backtests/backtest.entity';
import { BacktestResultEntity } from './backtests/backtest-result.entity';
import { ChallengeEntity } from './challenges/challenge.entity';
import { ChangeRequestEntity } from './change-requests/change-request.entity';
import { AmendmentEntity } from './charters/amendment.entity';
import { CharterEntity } from './charters/charter.entity';
import { CharterHeadEntity } from './charters/charter-head.entity';
import { ContractEventEntity } from './contract-events/contract-event.entity';
import { CredentialEntity } from './credentials/credential.entity';
import type { EntityClass } from './database';
import { ForgottenPaymentEntity } from './deployment/forgotten-payment.entity';
import { EventEntity } from './events/event.entity';
import { FeeSponsorEntity } from './fee-sponsors/fee-sponsor.entity';
import { SponsoredFeeEntity } from './fee-sponsors/sponsored-fee.entity';
import { FeedCheckpointEntity } from './feed/feed-checkpoint.entity';
import { FeedEntryEntity } from './feed/feed-entry.entity';
import { FeedHeadEntity } from './feed/feed-head.entity';
import { FeedPendingEntity } from './feed/feed-pending.entity';
import { FleetEntity } from './fleets/fleet.entity';
import { FleetGroupEntity } from './fleets/fleet-group.entity';
import { FleetKeyEntity } from './fleets/fleet-key.entity';
import { FleetOperationEntity } from './fleets/fleet-operation.entity';
import { FleetOutputEntity } from './fleets/fleet-output.entity';
import { OfflineRequestEntity } from './fleets/offline-request.entity';
import { FreezeEntity } from './freezes/freeze.entity';
import { FrozenActivityEntity } from './freezes/frozen-activity.entity';
import { IncomingTransactionEntity } from './incoming-transactions/incoming-transaction.entity';
import { IntegrationEntity } from './integrations/integration.entity';
import { KeyStoreEntity } from './key-stores/key-store.entity';
import { DataKeyEntity } from './keys/data-key.entity';
import { KeyEntity } from './keys/key.entity';
import { KeyRequestEntity } from './keys/key-request.entity';
import { MailEntity } from './mails/mail.entity';
import { HoldingEntity } from './movements/holding.entity';
import { MovementEntity } from './movements/movement.entity';
import { OidcIdentityEntity } from './oidc/oidc-identity.entity';
import { UsedIdTokenEntity } from './oidc/used-id-token.entity';
import { OneTimeCodeEntity } from './one-time-codes/one-time-code.entity';
import { OrganizationEntity } from './organizations/organization.entity';
import { OutboxRowEntity } from './outbox/outbox-row.entity';
import { ClaimEntity } from './outgoing/claim.entity';
import { LaneEntity } from './outgoing/lane.entity';
import { OutgoingEntity } from './outgoing/outgoing.entity';
import { PayloadEntity } from './outgoing/payload.entity';
import { PayloadReadingEntity } from './payload-readings/payload-reading.entity';
import { PermissionEntity } from './permissions/permission.entity';
import { PermissionAssignmentEntity } from './permissions/permission-assignment.entity';
import { PolicyEntity } from './policies/policy.entity';
import { PolicyVersionEntity } from './policies/policy-version.entity';
import { ReachabilityWarningEntity } from './policies/reachability-warning.entity';
import { VerdictEntity } from './policies/verdict.entity';
import { RecoveryEntity } from './recoveries/recovery.entity';
import { ReissueGrantEntity } from './recoveries/reissue-grant.entity';
import { ContractSchemaEntity } from './registry/contract-schema.entity';
import { RegistryAddressEntity } from './registry/registry-address.entity';
import { BalanceDifferenceEntity } from './scans/balance-difference.entity';
import { BalanceSweepEntity } from './scans/balance-sweep.entity';
import { ReceivedCoinEntity } from './scans/received-coin.entity';
import { WatchedAddressEntity } from './scans/watched-address.entity';
import { ScreeningEntity } from './screenings/screening.entity';
import { SignatureEntity } from './signatures/signature.entity';
import { TenantEntity } from './tenants/tenant.entity';
import { TokenEntity } from './tokens/token.entity';
import { TravelRuleCallbackEntity } from './travel-rules/travel-rule-callback.entity';
import { TravelRuleMessageEntity } from './travel-rules/travel-rule-message.entity';
import { TravelRulePayloadEntity } from './travel-rules/travel-rule-payload.entity';
import { UsageLaneEntity } from './usage/usage-lane.entity';
import { UsageReservationEntity } from './usage/usage-reservation.entity';
import { UsageSumEntity } from './usage/usage-sum.entity';
import { UserActionEntity } from './user-actions/user-action.entity';
import { UserEntity } from './users/user.entity';
import { WalletEntity } from './wallets/wallet.entity';
import { WalletAttestationEntity } from './wallets/wallet-attestation.entity';
import { WalletMetadataEntity } from './wallets/wallet-metadata.entity';
import { WalletTagEntity } from './wallets/wallet-tag.entity';
import { WebhookEntity } from './webhooks/webhook.entity';
import { WebhookEventEntity } from './webhooks/webhook-event.entity';

/** Every entity must be registered with a data source before the first query. */
export const ENTITIES: readonly EntityClass<object>[] = [
  AccessTokenEntity,
  AddressWatchEntity,
  ApprovalEntity,
  ApprovalApproverEntity,
  ApprovalNoticeEntity,
  ApprovalVoteEntity,
  AuditCheckpointEntity,
  AuditEntryEntity,
  AuditHeadEntity,
  AuditPendingEntity,
  AuditPlaceEntity,
  ChallengeEntity,
  ChangeRequestEntity,
  AmendmentEntity,
  CharterEntity,
  CharterHeadEntity,
  CredentialEntity,
  EventEntity,
  FeedCheckpointEntity,
  FeedEntryEntity,
  FeedHeadEntity,
  FeedPendingEntity,
  ForgottenPaymentEntity,
  FleetEntity,
  FleetGroupEntity,
  FleetKeyEntity,
  FleetOperationEntity,
  FleetOutputEntity,
  FreezeEntity,
  FeeSponsorEntity,
  SponsoredFeeEntity,
  FrozenActivityEntity,
  IncomingTransactionEntity,
  IntegrationEntity,
  DataKeyEntity,
  KeyEntity,
  KeyStoreEntity,
  KeyRequestEntity,
  MailEntity,
  OidcIdentityEntity,
  UsedIdTokenEntity,
  OneTimeCodeEntity,
  OrganizationEntity,
  OutboxRowEntity,
  PayloadReadingEntity,
  PermissionEntity,
  PermissionAssignmentEntity,
  PolicyEntity,
  PolicyVersionEntity,
  ReachabilityWarningEntity,
  VerdictEntity,
  RecoveryEntity,
  ReissueGrantEntity,
  ScreeningEntity,
  BacktestEntity,
  BacktestResultEntity,
  ContractSchemaEntity,
  ContractEventEntity,
  RegistryAddressEntity,
  SignatureEntity,
  TenantEntity,
  TokenEntity,
  ClaimEntity,
  LaneEntity,
  PayloadEntity,
  HoldingEntity,
  BackfillEntity,
  MovementEntity,
  OfflineRequestEntity,
  OutgoingEntity,
  TravelRuleCallbackEntity,
  TravelRuleMessageEntity,
  TravelRulePayloadEntity,
  UsageLaneEntity,
  UsageReservationEntity,
  UsageSumEntity,
  UserActionEntity,
  UserEntity,
  WalletEntity,
  WalletAttestationEntity,
  WalletMetadataEntity,
  WalletTagEntity,
  BalanceDifferenceEntity,
  BalanceSweepEntity,
  ReceivedCoinEntity,
  WatchedAddressEntity,
  WebhookEntity,
  WebhookEventEntity,
];
