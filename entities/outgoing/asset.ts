import { invariant } from '../../domain/errors';
import type { TransferAsset } from '../../domain/transfers';
import type { OutgoingEntity } from './outgoing.entity';

type Columns = Pick<OutgoingEntity, 'assetKind' | 'contract' | 'tokenId'>;

/**
 * The asset that a row moves. A contract call counts as a movement of the native asset, because nothing else is known about the
 * call.
 */
export function assetOfRow({ assetKind, contract, tokenId }: Columns): TransferAsset {
  if (assetKind === 'Native' || assetKind === 'Call') return { kind: 'Native' };
  invariant(contract !== null, 'a token has an address');
  if (assetKind !== 'Erc721') return { kind: assetKind, contract };
  invariant(tokenId !== null, 'a non-fungible token has a number');
  return { kind: 'Erc721', contract, tokenId };
}

/** The asset that a row moves, in the form that orders to the signer contain. A contract call stays a call. */
export const effectAssetOf = (row: Columns): TransferAsset | { readonly kind: 'Call' } =>
  row.assetKind === 'Call' ? { kind: 'Call' } : assetOfRow(row);
