import { utxoCodecOf } from '../../chains/codecs';
import { invariant } from '../../domain/errors';
import { digestOf } from '../../platform/canonical';
import type { SignerClient } from '../../signer/protocol';
import type { FamilySigning } from '../families';

/** The Bitcoin family: a signature for each input, put into the PSBT's transaction. */
export function createUtxoSigning(signer: Pick<SignerClient, 'signUtxo'>): FamilySigning {
  return {
    sign: async (row, { unsignedHex }, order) => {
      const { fromAddress: from, toAddress: to, amountUnits, terms, assetKind } = row;
      invariant(terms !== null || assetKind === 'Native', 'the Bitcoin family moves its native asset alone');
      const intent = { from, to, amountUnits, ...(terms === null ? {} : { callDigest: digestOf(terms.call) }) };
      const { signatures } = await signer.signUtxo({ ...order, intent });
      return utxoCodecOf(row.network).attach({ bytesHex: unsignedHex }, signatures, order.sealed.publicKeyHex);
    },
  };
}
