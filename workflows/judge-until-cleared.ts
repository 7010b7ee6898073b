import { ApplicationFailure, condition, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Hold, Judgement } from '../domain/judgements';
import type { ApprovalResult } from './approval.messages';
import { askVendors } from './ask-vendors';
import { atStage } from './at-stage';
import { decidedByApproval, hasApprovalWorkflow } from './decided-by-approval';
import type { TravelRuleWake } from './travel-rule';
import { equalDetails } from './ui-text';
import { aheadOf, decisionOf, type Wake } from './wait-for-approval';
import { type FreezeWake, waitForRelease } from './wait-for-release';

type Ref = Parameters<Activities['readHold']>[0];
type Steps = {
  readonly judge: () => Promise<Judgement>;
  readonly main: Pick<
    Activities,
    'readHold' | 'expireHold' | 'tellApprovers' | 'endEqual' | 'readTravelRule' | 'failTravelRule' | 'failScreening'
  >;
  readonly wake: Wake & FreezeWake & TravelRuleWake;
  /** Continues in a new run when this run has grown long. */
  readonly renew: () => Promise<void>;
};

/**
 * Judges a record until the record may proceed or has ended. An approved record is judged once more, and then only a stricter
 * verdict can stop the record (S9).
 */
export async function judgeUntilCleared(
  ref: Ref,
  { judge, main, wake, renew }: Steps,
): Promise<'Cleared' | 'Rejected' | 'Failed'> {
  for (;;) {
    setCurrentDetails('Judging against the policies in force.');
    wake.approval = false; // before the judgement: people may vote on the new approval before the judgement's result arrives
    wake.freeze = false;
    const judgement = await judge();
    switch (judgement.outcome) {
      case 'Cleared':
        return 'Cleared';
      case 'Ended':
        return judgement.state;
      case 'Held': {
        const decided = await atStage('Approval', () => decision(ref, judgement, wake, main));
        if (decided === 'Lost') await renew();
        else if (decided !== 'Approved') return 'Rejected';
        break;
      }
      case 'Equal':
        setCurrentDetails(equalDetails(judgement.equalToId, Date.now() + judgement.failsAfterMs));
        // The next judgement reports that the record has ended or may proceed.
        if (!(await atStage('EqualPayment', () => isConfirmed(judgement, wake)))) await endEqual(ref, main);
        break;
      case 'Frozen':
        await waitForRelease(judgement.freezeId, wake);
        await renew();
        break;
      case 'Asking':
        await askVendors(ref, judgement.asks, { main, wake, renew });
        break;
    }
  }
}

function decision(ref: Ref, hold: Hold, wake: Wake, main: Steps['main']): Promise<ApprovalResult | 'Lost'> {
  if (hasApprovalWorkflow()) return decidedByApproval(ref, hold, wake);
  const { approvalId, groups } = hold;
  return decisionOf(groups, aheadOf(hold), wake, {
    read: () => main.readHold(ref, approvalId),
    expire: () => main.expireHold(ref, approvalId),
    tell: () => main.tellApprovers(ref, approvalId),
  });
}

function isConfirmed(judgement: Extract<Judgement, { outcome: 'Equal' }>, wake: Wake): Promise<boolean> {
  const summary = `Looks like a duplicate of ${judgement.equalToId}`;
  return condition(() => wake.approval, judgement.failsAfterMs, { summary });
}

function endEqual(ref: Ref, main: Steps['main']): Promise<void> {
  if ('transferId' in ref) return main.endEqual(ref);
  throw ApplicationFailure.nonRetryable('only transfers and transactions pay');
}
