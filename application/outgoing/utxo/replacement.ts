import { inFamily } from '../../../chains/families';
import { offlineRequestStore } from '../../../entities/fleets/offline-request.store';
import { coinStore } from '../../../entities/outgoing/coin.store';
import type { ReplacementForm } from '../family-forms';

/**
 * Replacement on networks whose nodes replace pending transactions (BIP125). A speed-up spends the same coins for a higher fee,
 * and a cancellation sends the same coins back to the sender. A transaction that nothing can sign any more is aborted instead,
 * because an unspent coin blocks nothing, unlike an unused nonce.
 */
export const utxoReplacement: ReplacementForm = {
  isTakenBy(network) {
    const { replaceable, keepsFirst } = inFamily('utxo', network);
    return replaceable && keepsFirst === undefined;
  },
  // A speed-up of a raw transaction does not get here, because `utxoChild.isFor` chooses a child instead.
  async whoPrevents(tx, { id, state, network, txHash }) {
    if (state === 'Signing' && !(await offlineRequestStore.isExported(tx, id))) return 'It is not signed yet: abort it';
    // If this transaction were replaced, a signed transaction that spends its change could never be sent.
    const [spending] = txHash === null ? [] : await coinStore.spending(tx, network, txHash);
    return spending === undefined ? undefined : `${spending} spends its change`;
  },
};
