import { solanaCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import { invariant } from '../../../domain/errors';
import type { Database } from '../../../entities/database';
import { effectAssetOf } from '../../../entities/outgoing/asset';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';
import type { SignSolanaOrder } from '../../../signer/protocol';
import type { OrderOf, OrderSigner } from '../../fleets/order-signer';
import type { FamilySigning } from '../family-forms';
import { behindTheWallet, sponsorKey } from '../sponsor-keys';
import { nonceAccountsAsked } from './nonce-accounts';

function assetOfOrder(row: OutgoingEntity): SignSolanaOrder['intent']['asset'] {
  const asset = effectAssetOf(row);
  if (asset.kind === 'Native' || asset.kind === 'Call') return asset;
  invariant(asset.kind === 'Spl' || asset.kind === 'Spl2022', 'Solana moves only Solana tokens');
  return { kind: asset.kind, contract: asset.contract };
}

/**
 * Solana: the signature covers the whole message, and the first signature is the transaction's id. A sponsor signs after the
 * wallet, but the sponsor's signature comes first in the transaction.
 */
export function createSolanaSigning(signer: Pick<OrderSigner, 'signSolana'>, db: Database): FamilySigning {
  const ask = async (order: OrderOf<'signSolana'>): Promise<string> => {
    const [signature] = (await signer.signSolana(order)).signatures;
    invariant(signature, 'the signer returns a signature');
    return `${signature.r}${signature.s.slice(2)}`;
  };
  return {
    sign: async (row, { unsignedHex, digestHex, maxFeeUnits }, order) => {
      const { fromAddress: from, toAddress: to, sponsorAddress: sponsor, terms, options, network } = row;
      const codec = solanaCodecOf(network);
      const nonceAccounts = nonceAccountsAsked(row);
      const { lifetime } = solanaDecoderOf(network).decode(unsignedHex);
      const asked: OrderOf<'signSolana'> = {
        ...order,
        ...(lifetime.kind === 'blockhash' ? {} : { nonceAccount: lifetime.account }),
        ...(sponsor === null ? {} : { sponsor }),
        intent: {
          from,
          to,
          amountUnits: row.amountUnits,
          asset: assetOfOrder(row),
          ...(options.memo === undefined ? {} : { memo: options.memo }),
          ...(options.createDestinationAccount === true ? { createsDestination: true } : {}),
          ...(terms === null ? {} : { callDigest: digestOf(terms.call) }),
          ...(nonceAccounts === undefined ? {} : { nonceAccounts }),
        },
      };
      const own = await ask(asked);
      if (sponsor === null)
        return codec.attach({ bytesHex: unsignedHex, digestHex, maxFeeUnits: BigInt(maxFeeUnits) }, own, from);
      const half = codec.signPartial(unsignedHex, own, from);
      const key = await sponsorKey(db.read(row.orgId), row);
      const theirs = await behindTheWallet(ask({ ...asked, ...key, walletSignatureHex: own.slice(2) }));
      const { rawHex, txHash } = codec.signPartial(half.rawHex, theirs, sponsor);
      invariant(txHash !== undefined, 'the fee payer has signed');
      return { rawHex, txHash };
    },
  };
}
