import { evmCodecOf } from '../../chains/codecs';
import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import { invariant } from '../../domain/errors';
import { effectAssetOf } from '../../entities/transfers/asset';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import { digestOf } from '../../platform/canonical';
import type { SignerClient } from '../../signer/protocol';
import type { FamilySigning } from '../families';

/** EVM: one digest, one signature that recovers to the sender. */
export function createEvmSigning(signer: Pick<SignerClient, 'signTransfer'>): FamilySigning {
  const assetOfOrder = (row: TransferEntity) => {
    const asset = effectAssetOf(row);
    invariant(asset.kind !== 'Spl' && asset.kind !== 'Spl2022', 'an EVM network moves assets of its own');
    return 'contract' in asset && asset.kind !== 'Erc721' ? { kind: asset.kind, contract: asset.contract } : asset;
  };
  return {
    sign: async (row, { nonce, unsignedHex, digestHex, maxFeeUnits }, order) => {
      invariant(nonce !== null, `the payload of ${row.id} has a nonce`);
      const { fromAddress: from, toAddress: to, terms } = row;
      const { signature } = await signer.signTransfer({
        ...order,
        chainId: inFamily('evm', networkOf(row.network)).chainId,
        intent: {
          from,
          to,
          amountUnits: row.amountUnits,
          asset: assetOfOrder(row),
          ...(terms === null ? {} : { callDigest: digestOf(terms.call) }),
        },
        nonce,
      });
      const unsigned = { bytesHex: unsignedHex, digestHex, nonce, maxFeeUnits: BigInt(maxFeeUnits) };
      return evmCodecOf(row.network).attach(unsigned, signature, from);
    },
  };
}
