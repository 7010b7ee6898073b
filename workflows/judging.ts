import { setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Judgement } from '../domain/judgements';
import { answered } from './asking';
import { type FreezeWake, released } from './frozen';
import { decisionOf, type Wake } from './hold';
import type { TravelRuleWake } from './travel-rule';

type Ref = Parameters<Activities['readHold']>[0];
type Steps = {
  readonly judge: () => Promise<Judgement>;
  readonly main: Pick<
    Activities,
    'readHold' | 'expireHold' | 'tellApprovers' | 'readTravelRule' | 'failTravelRule' | 'failScreening'
  >;
  readonly wake: Wake & FreezeWake & TravelRuleWake;
  /** Goes on in a new run when this one has grown long; whatever it waited for is read from the rows again. */
  readonly renew: () => Promise<void>;
};

/**
 * Judges a record under the policies in force until it may go on or has ended, and waits meanwhile for whatever the judgement says.
 * What people approved is judged once more: only a stricter verdict counts at release (S9).
 */
export async function judged(ref: Ref, { judge, main, wake, renew }: Steps): Promise<'Cleared' | 'Rejected' | 'Failed'> {
  for (;;) {
    setCurrentDetails('Judging against the policies in force.');
    wake.approval = false; // before the judgement: people may vote on its approval before its answer is here
    wake.freeze = false;
    const judgement = await judge();
    switch (judgement.outcome) {
      case 'Cleared':
        return 'Cleared';
      case 'Ended':
        return judgement.state;
      case 'Held': {
        const decided = await decisionOf(judgement, wake, {
          read: (approvalId) => main.readHold(ref, approvalId),
          expire: (approvalId) => main.expireHold(ref, approvalId),
          tell: (approvalId) => main.tellApprovers(ref, approvalId),
        });
        if (decided !== 'Approved') return 'Rejected';
        break;
      }
      case 'Frozen':
        await released(judgement.freezeId, wake);
        await renew();
        break;
      case 'Asking':
        await answered(ref, judgement.asks, { main, wake, renew });
        break;
    }
  }
}
