import type { SponsoringForm } from '../family-forms';

/** The fee of a transaction is the part of its coins that no output receives, and all its coins belong to the wallet. */
export const utxoSponsoring: SponsoringForm = {
  whyNot: (network) => `fees cannot be sponsored on ${network}`,
  assertReady: null,
};
