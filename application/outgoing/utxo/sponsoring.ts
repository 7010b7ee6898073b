import type { SponsoringForm } from '../family-forms';

/**
 * There is no sponsoring in the Bitcoin family. The fee is the remainder of the coins of a transaction, and all of them are the
 * wallet's own.
 */
export const utxoSponsoring: SponsoringForm = {
  whyNot: (network) => `fees cannot be sponsored on ${network}`,
  assertReady: null,
};
