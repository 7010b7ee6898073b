import { solanaCodecOf } from '../../chains/codecs';
import { solanaDecoderOf } from '../../chains/decoders';
import { invariant } from '../../domain/errors';
import { effectAssetOf } from '../../entities/transfers/asset';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import { digestOf } from '../../platform/canonical';
import type { SignerClient, SignSolanaOrder } from '../../signer/protocol';
import type { FamilySigning } from '../families';

function assetOfOrder(row: TransferEntity): SignSolanaOrder['intent']['asset'] {
  const asset = effectAssetOf(row);
  invariant(asset.kind !== 'Erc20' && asset.kind !== 'Erc721' && asset.kind !== 'Erc7984', 'Solana moves assets of its own');
  return asset.kind === 'Native' || asset.kind === 'Call' ? asset : { kind: asset.kind, contract: asset.contract };
}

/** Solana: the whole message is signed, and its signature is the transaction's name. */
export function createSolanaSigning(signer: Pick<SignerClient, 'signSolana'>): FamilySigning {
  return {
    sign: async (row, { unsignedHex, digestHex, maxFeeUnits }, order) => {
      const { fromAddress: from, toAddress: to, terms, options, network } = row;
      const { lifetime } = solanaDecoderOf(network).decode(unsignedHex);
      const { signatures } = await signer.signSolana({
        ...order,
        ...(lifetime.kind === 'blockhash' ? {} : { nonceAccount: lifetime.account }),
        intent: {
          from,
          to,
          amountUnits: row.amountUnits,
          asset: assetOfOrder(row),
          ...(options.memo === undefined ? {} : { memo: options.memo }),
          ...(options.createDestinationAccount === true ? { createsDestination: true } : {}),
          ...(terms === null ? {} : { callDigest: digestOf(terms.call) }),
        },
      });
      const [signature] = signatures;
      invariant(signature, 'the signer answers a signature');
      const unsigned = { bytesHex: unsignedHex, digestHex, maxFeeUnits: BigInt(maxFeeUnits) };
      return solanaCodecOf(network).attach(unsigned, `${signature.r}${signature.s.slice(2)}`, from);
    },
  };
}
