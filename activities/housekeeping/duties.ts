import { Context } from '@temporalio/activity';
import type { HouseDuty, HouseResult, HouseRound } from '../../domain/housekeeping';
import { createApprovalDuty } from './approvals';
import { createChangeDuty } from './changes';
import { createClaimDuty } from './claim-consistency';
import type { HouseParts } from './duty';
import { createFreezeDuty } from './freezes';
import { createPriceDuty, type PriceParts } from './prices';
import { createRecoveryDuty } from './recoveries';
import { createRemovals } from './removals';
import { createSignatureDuty } from './signatures';
import { createTransferDuty } from './transfers';
import { createWalletDuty } from './wallets';
import { createWebhookDuty } from './webhooks';

/** Well within the heartbeat time-out of the workflow. */
const HEARTBEAT_MS = 5_000;

/** Activities of the main queue that keep the house. Each round is bounded and may run twice. */
export function createHouseActivities(parts: HouseParts & PriceParts) {
  const { watchOutbox, ...removals } = createRemovals(parts);
  const duties: Readonly<Record<HouseDuty, (after: string | undefined) => Promise<HouseResult>>> = {
    'reconcile-transfers': createTransferDuty(parts),
    'reconcile-signatures': createSignatureDuty(parts),
    'reconcile-wallets': createWalletDuty(parts),
    'reconcile-webhooks': createWebhookDuty(parts),
    'reconcile-changes': createChangeDuty(parts),
    'reconcile-recoveries': createRecoveryDuty(parts),
    'reconcile-freezes': createFreezeDuty(parts),
    'reconcile-claims': createClaimDuty(parts),
    'watch-approvals': createApprovalDuty(parts),
    'watch-outbox': watchOutbox,
    'refresh-prices': createPriceDuty(parts),
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
