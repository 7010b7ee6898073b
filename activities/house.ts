import { Context } from '@temporalio/activity';
import type { HouseDuty, HouseResult, HouseRound } from '../domain/house';
import { createApprovalDuty } from './house-approvals';
import { createChangeDuty } from './house-changes';
import { createClaimDuty } from './house-claims';
import { createRemovals } from './house-removals';
import { createSignatureDuty } from './house-signatures';
import { createTransferDuty } from './house-transfers';
import { createWalletDuty } from './house-wallets';
import { createWebhookDuty } from './house-webhooks';
import type { HouseParts } from './house-work';

/** Well within the heartbeat time-out of the workflow. */
const HEARTBEAT_MS = 5_000;

/** Activities of the main queue that keep the house. Each round is bounded and may run twice. */
export function createHouseActivities(parts: HouseParts) {
  const { watchOutbox, ...removals } = createRemovals(parts);
  const duties: Readonly<Record<HouseDuty, (after: string | undefined) => Promise<HouseResult>>> = {
    'reconcile-transfers': createTransferDuty(parts),
    'reconcile-signatures': createSignatureDuty(parts),
    'reconcile-wallets': createWalletDuty(parts),
    'reconcile-webhooks': createWebhookDuty(parts),
    'reconcile-changes': createChangeDuty(parts),
    'reconcile-claims': createClaimDuty(parts),
    'watch-approvals': createApprovalDuty(parts),
    'watch-outbox': watchOutbox,
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
    /** One round of one duty, over all organisations. */
    async doHouseRound({ duty, after }: HouseRound): Promise<HouseResult> {
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

export type HouseActivities = ReturnType<typeof createHouseActivities>;
