import { invariant } from '../../domain/errors';
import type { Reader } from '../../entities/database';
import { verdictStore } from '../../entities/policies/verdict.store';
import type { Facts } from '../../policy/types';
import type { SignPayloadOrder } from '../../signer/protocol';

type Attested = NonNullable<SignPayloadOrder['attested']>;

/** What the last verdict was based on, apart from the facts that the signer finds out itself. */
export async function attestedFacts(reader: Reader, verdictId: string | null): Promise<{ readonly attested?: Attested }> {
  if (verdictId === null) return {};
  const verdict = await verdictStore.find(reader, verdictId);
  invariant(verdict, 'a verdict is kept');
  const { amountUsdMicro, sponsor, usage, screenings, travelRule } = verdict.facts as Facts;
  return {
    attested: {
      amountUsdMicro,
      ...(sponsor === undefined ? {} : { sponsorAmountUsdMicro: sponsor.amountUsdMicro }),
      ...(usage === undefined ? {} : { usage }),
      ...(screenings === undefined ? {} : { screenings }),
      ...(travelRule === undefined ? {} : { travelRule }),
    },
  };
}
