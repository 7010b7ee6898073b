import { utxoCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { coinStore } from '../../../entities/outgoing/coin.store';
import type { ChildForm } from '../family-forms';
import { utxoReplacement } from './replacement';

/**
 * Bitcoin's family, where nodes keep what they heard first or where every byte was spelled out: whoever makes a block weighs a transaction with
 * those that it needs, so that a child with a high fee takes its parent along. Where each is weighed by itself, as on Bitcoin Cash, none is made.
 */
export const utxoChild: ChildForm = {
  isTakenAlong: (network) => inFamily('utxo', network).weighsAlone === undefined,
  isFor({ network: name, assetKind, terms }) {
    const network = networkOf(name);
    return utxoReplacement.isTakenBy?.(network) === false || assetKind !== 'Native' || terms !== null;
  },
  whyNever({ network: name, fromAddress }, payload) {
    if (inFamily('utxo', networkOf(name)).weighsAlone)
      return `Nothing takes the place of a transaction on ${name}, and none is taken along by another one`;
    const isPaidBack = payload?.rawHex && utxoCodecOf(name).coinsOf(payload.rawHex, fromAddress).length > 0;
    if (isPaidBack) return undefined;
    return `Nothing takes the place of this transaction on ${name}, and it pays nothing back to the wallet with which another one could pay for it`;
  },
  async whoPrevents(tx, { network, txHash }) {
    const [spending] = txHash === null ? [] : await coinStore.spending(tx, network, txHash);
    return spending === undefined ? undefined : `${spending} spends what it pays back to the wallet: speed that one up`;
  },
};
