import { invariant } from '../../domain/errors';
import type { Reader } from '../../entities/database';
import { verdictStore } from '../../entities/policies/verdict.store';
import type { Facts } from '../../policy/types';
import { SignPayloadOrder } from '../../signer/protocol';

/**
 * The facts on which the last verdict rests, except the facts that the signer determines itself. Absent if an earlier release
 * recorded the facts in a different format. The policies of a charter then treat the facts as unknown.
 */
export async function attestedFacts(reader: Reader, verdictId: string | null): Promise<Pick<SignPayloadOrder, 'attested'>> {
  if (verdictId === null) return {};
  const verdict = await verdictStore.find(reader, verdictId);
  invariant(verdict, 'a verdict is kept');
  const { amountUsdMicro = null, sponsor, usage, screenings, travelRule } = verdict.facts as Partial<Facts>;
  const known = { usage, screenings, travelRule, sponsorAmountUsdMicro: sponsor?.amountUsdMicro };
  return { attested: SignPayloadOrder.shape.attested.safeParse(JSON.parse(JSON.stringify({ amountUsdMicro, ...known }))).data };
}
