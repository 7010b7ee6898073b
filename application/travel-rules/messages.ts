import type { Ask } from '../../domain/judgements';
import { isTravelRuleEnd, type TravelRuleStanding } from '../../domain/travel-rules';
import type { Tx } from '../../entities/database';
import { travelRuleStore } from '../../entities/travel-rules/travel-rule.store';
import type { Needs } from '../../policy/needs';
import type { WalletSign } from '../policies/evaluate-activity';

type Found = { readonly standing?: TravelRuleStanding; readonly asks: readonly Ask[] };

/**
 * The state of a transfer's travel rule message. If `asks` is not empty, the vendor must be asked about that message first. The
 * message is sent only once, even for several policies. The caller has locked the transfer.
 */
export async function travelRuleOf(tx: Tx, { activity, activityId }: WalletSign, needs: Needs): Promise<Found> {
  const { travelRule: isNeeded, travelRuleTimes: times } = needs;
  if (!isNeeded) return { asks: [] };
  if (!('transferRequest' in activity)) return ended({ kind: 'NotApplicable' });
  const sent = await travelRuleStore.ofTransfer(tx, activityId);
  if (sent && isTravelRuleEnd(sent.state)) return ended({ kind: 'Ended', state: sent.state });
  const [carried] = await travelRuleStore.payloadsOf(tx, [activityId]);
  if (!carried) return ended({ kind: 'NotCarried' });
  if (times === null) return ended({ kind: 'NotSent' });
  // Silence clears the message only if a counterparty, who could have answered, holds the beneficiary's wallet.
  const clear = carried.isCustodial ? times.clear : null;
  const { id: messageId } = sent ?? (await travelRuleStore.request(tx, activityId, { ...times, clear }));
  return { asks: [{ vendor: 'TravelRule', messageId }] };
}

const ended = (standing: TravelRuleStanding): Found => ({ standing, asks: [] });
