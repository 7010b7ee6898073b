import type { SponsoringForm } from '../family-forms';

/** Bitcoin family: the fee is the remainder of a transaction's coins, and all these coins are the wallet's own. */
export const utxoSponsoring: SponsoringForm = {
  whyNot: (network) => `fees cannot be sponsored on ${network}`,
  assertReady: null,
};
