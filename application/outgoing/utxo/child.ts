import { utxoCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { coinStore } from '../../../entities/outgoing/coin.store';
import type { ChildForm } from '../family-forms';
import { utxoReplacement } from './replacement';

/**
 * A child speeds up a transaction that the nodes do not replace or that people approved byte by byte. Miners weigh a
 * transaction together with its unconfirmed ancestors, so a child with a high fee pays for its parent (CPFP). On networks that
 * weigh each transaction separately, such as Bitcoin Cash, no child is made.
 */
export const utxoChild: ChildForm = {
  isTakenAlong: (network) => inFamily('utxo', network).weighsAlone === undefined,
  isFor({ network: name, assetKind, terms }) {
    const network = networkOf(name);
    return utxoReplacement.isTakenBy?.(network) === false || assetKind !== 'Native' || terms !== null;
  },
  whyNever({ network: name, fromAddress }, payload) {
    if (inFamily('utxo', networkOf(name)).weighsAlone)
      return `Transactions on ${name} can be neither replaced nor paid for by a child`;
    const isPaidBack = payload?.rawHex && utxoCodecOf(name).coinsOf(payload.rawHex, fromAddress).length > 0;
    if (isPaidBack) return undefined;
    return `This transaction on ${name} cannot be replaced, and it has no change with which a child could pay for it`;
  },
  async whoPrevents(tx, { network, txHash }) {
    const [spending] = txHash === null ? [] : await coinStore.spending(tx, network, txHash);
    return spending === undefined ? undefined : `${spending} spends its change: speed that one up`;
  },
};
