import type { SponsoringForm } from '../family-forms';

/**
 * Fees cannot be sponsored: the fee is the part of the transaction's coins that no output receives, and all these coins belong
 * to the wallet.
 */
export const utxoSponsoring: SponsoringForm = {
  whyNot: (network) => `fees cannot be sponsored on ${network}`,
  assertReady: null,
};
