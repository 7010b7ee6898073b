import { inFamily } from '../../../chains/families';
import { coinStore } from '../../../entities/outgoing/coin.store';
import type { ReplacementForm } from '../family-forms';

/**
 * Replacement in the Bitcoin family, on networks whose nodes replace pending transactions (BIP125). The replacement spends the
 * same coins, either for a higher fee or all back to the sender. An unsigned transaction is aborted instead, which costs
 * nothing, because coins leave no gap behind.
 */
export const utxoReplacement: ReplacementForm = {
  isTakenBy(network) {
    const { replaceable, keepsFirst } = inFamily('utxo', network);
    return replaceable && keepsFirst === undefined;
  },
  // The fee of a transaction that was approved byte by byte cannot change, so a child pays for it.
  whyNot: ({ state }) => (state === 'Signing' ? 'It is not signed yet: abort it' : undefined),
  async whoPrevents(tx, { network, txHash }) {
    // A signed transaction that spends the change of this one could never be sent if this one were replaced.
    const [spending] = txHash === null ? [] : await coinStore.spending(tx, network, txHash);
    return spending === undefined ? undefined : `${spending} spends its change`;
  },
};
