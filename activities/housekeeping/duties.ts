import { Context } from '@temporalio/activity';
import { restartGroup } from '../../application/fleets/create-group';
import type { DutyResult, DutyRound, HousekeepingDuty } from '../../domain/housekeeping';
import { createAuditLogDuty, createFeedDuty, type HeadAttestingParts } from './attest-heads';
import { type AttestingParts, createAttestationDuty } from './attest-wallets';
import { createClaimDuty } from './claim-consistency';
import { type DutyParts, restartingDuty } from './duty';
import { createWebhookDuty } from './overdue-webhooks';
import { createHoldingDuty, type HoldingParts } from './refresh-holdings';
import { createPriceDuty, type PriceParts } from './refresh-prices';
import { createRetention } from './retention';
import { createAmendmentDuty } from './stranded-amendments';
import { createBackfillDuty } from './stranded-backfills';
import { createChangeDuty } from './stranded-changes';
import { createFreezeDuty } from './stranded-freezes';
import { createRecoveryDuty } from './stranded-recoveries';
import { createSignatureDuty } from './stranded-signatures';
import { createTransferDuty } from './stranded-transfers';
import { createWalletDuty } from './stranded-wallets';
import { createSweepDuty, type SweepParts } from './sweep-balances';
import { createApprovalDuty } from './unreachable-approvals';
import { createWitnessDuty, type WitnessParts } from './witness-checkpoints';

/** The interval must stay well below the heartbeat time-out that the workflow sets. */
const HEARTBEAT_MS = 5_000;

type Parts = DutyParts & PriceParts & HoldingParts & SweepParts & AttestingParts & HeadAttestingParts & WitnessParts;

/** Each round is bounded and may run twice. */
export function createHousekeepingActivities(parts: Parts) {
  const { watchOutbox, ...removals } = createRetention(parts);
  const duties: Readonly<Record<HousekeepingDuty, (after: string | undefined) => Promise<DutyResult>>> = {
    'reconcile-transfers': createTransferDuty(parts),
    'reconcile-signatures': createSignatureDuty(parts),
    'reconcile-wallets': createWalletDuty(parts),
    'attest-wallets': createAttestationDuty(parts),
    'attest-feeds': createFeedDuty(parts),
    'attest-audit-logs': createAuditLogDuty(parts),
    'witness-checkpoints': createWitnessDuty(parts),
    'reconcile-webhooks': createWebhookDuty(parts),
    'reconcile-changes': createChangeDuty(parts),
    'reconcile-recoveries': createRecoveryDuty(parts),
    'reconcile-freezes': createFreezeDuty(parts),
    'reconcile-amendments': createAmendmentDuty(parts),
    'reconcile-fleet-groups': restartingDuty(parts, {
      ...{ find: parts.housekeeping.openFleetGroups, routingOf: restartGroup },
      said: 'a group of fleet operations',
    }),
    'reconcile-backfills': createBackfillDuty(parts),
    'reconcile-claims': createClaimDuty(parts),
    'watch-approvals': createApprovalDuty(parts),
    'watch-outbox': watchOutbox,
    'refresh-prices': createPriceDuty(parts),
    'refresh-holdings': createHoldingDuty(parts),
    'sweep-balances': createSweepDuty(parts),
    'remove-user-actions': removals.userActions,
    'remove-webhook-events': removals.webhookEvents,
    'remove-mails': removals.mails,
    'remove-challenges': removals.challenges,
    'remove-one-time-codes': removals.oneTimeCodes,
    'remove-used-id-tokens': removals.usedIdTokens,
    'remove-travel-rule-callbacks': removals.travelRuleCallbacks,
    'remove-key-requests': removals.keyRequests,
    'remove-outbox-rows': removals.outboxRows,
  };
  return {
    async doHouseRound({ duty, after }: DutyRound): Promise<DutyResult> {
      const context = Context.current();
      const heart = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      try {
        return await duties[duty](after);
      } finally {
        clearInterval(heart);
      }
    },
  };
}

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;
