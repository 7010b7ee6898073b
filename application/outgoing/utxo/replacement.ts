import { inFamily } from '../../../chains/families';
import { coinStore } from '../../../entities/outgoing/coin.store';
import type { ReplacementForm } from '../family-forms';

/**
 * Bitcoin family, where nodes replace pending transactions (BIP125): the same coins again, for a higher fee or all back to the sender. An
 * unsigned transaction is aborted instead and costs nothing, because coins leave no gap behind.
 */
export const utxoReplacement: ReplacementForm = {
  isTakenBy(network) {
    const { replaceable, keepsFirst } = inFamily('utxo', network);
    return replaceable && keepsFirst === undefined;
  },
  // The fee of a transaction approved byte by byte cannot change: a child pays for it.
  whyNot: ({ state }) => (state === 'Signing' ? 'It is not signed yet: abort it' : undefined),
  async whoPrevents(tx, { network, txHash }) {
    // The transaction that spends its change is signed: without the coin it could never be sent.
    const [spending] = txHash === null ? [] : await coinStore.spending(tx, network, txHash);
    return spending === undefined ? undefined : `${spending} spends its change`;
  },
};
