import type { Ask } from '../../domain/judgements';
import type { Tx } from '../../entities/database';
import type { Needs } from '../../policy/needs';
import type { Facts, Subject } from '../../policy/types';
import { listedAddresses } from '../registry/listed-addresses';
import { screeningsOf } from '../screenings/screenings';
import { travelRuleOf } from '../travel-rules/messages';
import { reserveUsage } from '../usage/usage';
import type { WalletSign } from './evaluate-activity';

/** If `asks` is not empty, vendors must answer these questions before the policies can judge. */
export type Gathered = {
  readonly facts: Pick<Facts, 'usage' | 'screenings' | 'travelRule' | 'registryAddresses'>;
  readonly asks: readonly Ask[];
};

/**
 * Gathers only the facts in `needs`, and counts the usage of every signing activity. While vendors still have to answer,
 * gathers no facts and counts nothing. Rules treat an absent fact as unknown.
 */
export async function gather(tx: Tx, input: WalletSign, subject: Subject, needs: Needs): Promise<Gathered> {
  const travelRule = await travelRuleOf(tx, input, needs);
  const screenings = await screeningsOf(tx, input, subject, needs);
  const asks = [...travelRule.asks, ...screenings.asks];
  if (asks.length > 0) return { facts: {}, asks };
  return {
    facts: {
      ...(await registeredOf(tx, input, needs)),
      ...(screenings.known.length > 0 ? { screenings: screenings.known } : {}),
      ...(travelRule.standing ? { travelRule: travelRule.standing } : {}),
      // This call comes last, and only if no vendor still has to answer, because `usageOf` locks the wallets until the database
      // transaction ends.
      ...(await usageOf(tx, input, subject, needs)),
    },
    asks,
  };
}

async function registeredOf(
  tx: Tx,
  { network }: WalletSign,
  { registryAddressIds: ids }: Needs,
): Promise<Pick<Facts, 'registryAddresses'>> {
  return ids.length === 0 ? {} : { registryAddresses: await listedAddresses(tx, ids, network) };
}

/** Counts every signing activity, because a later policy may use the count. */
async function usageOf(tx: Tx, input: WalletSign, subject: Subject, { timeframes }: Needs): Promise<Pick<Facts, 'usage'>> {
  if (input.activity.kind !== 'Wallets:Sign') return {};
  const { activityId, amountUsdMicro } = input;
  return { usage: await reserveUsage(tx, { activityId, subject, amountUsdMicro, timeframes }) };
}
