import { utxoCodecOf } from '../../../chains/codecs';
import { invariant } from '../../../domain/errors';
import type { Database } from '../../../entities/database';
import { coinStore } from '../../../entities/outgoing/coin.store';
import { digestOf } from '../../../platform/canonical';
import type { OrderSigner } from '../../fleets/order-signer';
import type { FamilySigning } from '../family-forms';

export function createUtxoSigning(signer: Pick<OrderSigner, 'signUtxo'>, db: Database): FamilySigning {
  return {
    sign: async (row, { unsignedHex }, order) => {
      const { fromAddress: from, toAddress: to, amountUnits, terms, assetKind } = row;
      invariant(terms !== null || assetKind === 'Native', 'the Bitcoin family moves only its native asset');
      const intent = { from, to, amountUnits, ...(terms === null ? {} : { callDigest: digestOf(terms.call) }) };
      // A left coin is still claimed for a signed transaction that can never confirm. The signing log lists the coin under the
      // request of that transaction, so the order contains the id of this request. Both transactions spend the same coin, so at
      // most one confirms.
      const left = order.replaces === undefined ? await coinStore.after(db.read(row.orgId), row.id) : undefined;
      // Everything that an offline device may sign for one payment must share one coin, which is no rule for another payment.
      const isOther = left !== undefined && order.custody.kind === 'OfflineSigner';
      const replaces = left === undefined ? {} : { replaces: left, ...(isOther ? { takesLeft: true as const } : {}) };
      const { signatures } = await signer.signUtxo({ ...order, ...replaces, intent });
      return utxoCodecOf(row.network).attach({ bytesHex: unsignedHex }, signatures, order.custody.publicKeyHex);
    },
  };
}
