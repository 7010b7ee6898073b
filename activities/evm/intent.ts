import type { TransferIntent } from '../../chains/types';
import { invariant } from '../../domain/errors';
import { assetOf, effectAssetOf } from '../../entities/transfers/asset';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import { digestOf } from '../../platform/canonical';
import type { SignTransferOrder } from '../../signer/protocol';

export const intentOfRow = (row: TransferEntity): TransferIntent => ({
  network: row.network,
  from: row.fromAddress,
  to: row.toAddress,
  amountUnits: BigInt(row.amountUnits),
  asset: assetOf(row),
});

/** The same as the signer's orders name it. */
export function intentOfOrder(row: TransferEntity): SignTransferOrder['intent'] {
  const { fromAddress: from, toAddress: to, amountUnits, terms } = row;
  const asset = effectAssetOf(row);
  invariant(asset.kind !== 'Spl' && asset.kind !== 'Spl2022', 'an EVM network moves assets of its own');
  return {
    from,
    to,
    amountUnits,
    asset: 'contract' in asset && asset.kind !== 'Erc721' ? { kind: asset.kind, contract: asset.contract } : asset,
    ...(terms === null ? {} : { callDigest: digestOf(terms.call) }),
  };
}
