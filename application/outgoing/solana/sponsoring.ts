import { solanaCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { badField } from '../../request-faults';
import type { SponsoringForm } from '../family-forms';

/** The signers of a sponsored transaction: the sponsor and the wallet. */
const SOLANA_SIGNERS = 2;

/** Any account can pay for another account if each account signs. The sponsor must stay rent-exempt. */
export const solanaSponsoring: SponsoringForm = {
  whyNot: () => undefined,
  async assertReady({ readers }, network, sponsor) {
    const reader = inFamily('solana', readers(network));
    const [held, kept] = await Promise.all([reader.nativeBalance(sponsor), reader.rentUnits(0)]);
    const least = solanaCodecOf(network).leastFeeUnits(SOLANA_SIGNERS) + kept;
    if (held >= least) return;
    throw badField(
      'feeSponsorId',
      `must name a fee sponsor with enough funds: it holds ${held} lamports and needs at least ${least}, including the rent-exempt minimum`,
    );
  },
};
