import { inFamily } from '../../../chains/families';
import { coinStore } from '../../../entities/outgoing/coin.store';
import type { ReplacementForm } from '../family-forms';

/**
 * Bitcoin's family, where nodes replace what waits for a block (BIP125): the same coins once more, for a higher fee or all of them back to the
 * sender. What is not signed yet is aborted instead and costs nothing, because coins leave no hole behind.
 */
export const utxoReplacement: ReplacementForm = {
  isTakenBy(network) {
    const { replaceable, keepsFirst } = inFamily('utxo', network);
    return replaceable && keepsFirst === undefined;
  },
  // Of what is spelled out nobody changes the fee: a child pays for it.
  whyNot: ({ state }) => (state === 'Signing' ? 'Nothing of it is signed yet: abort it' : undefined),
  async whoPrevents(tx, { network, txHash }) {
    // What spends from it is signed: without the coin nobody could ever send it.
    const [spending] = txHash === null ? [] : await coinStore.spending(tx, network, txHash);
    return spending === undefined ? undefined : `${spending} spends what it pays back to the wallet`;
  },
};
