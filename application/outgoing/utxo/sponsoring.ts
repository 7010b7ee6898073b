import type { SponsoringForm } from '../family-forms';

/** Bitcoin's family: the fee is what the coins of a transaction leave over, and every coin is the wallet's own. */
export const utxoSponsoring: SponsoringForm = {
  whyNot: (network) => `fees cannot be sponsored on ${network}`,
  assertReady: null,
};
