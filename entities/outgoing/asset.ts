import { invariant } from '../../domain/errors';
import type { TransferAsset } from '../../domain/transfers';
import type { OutgoingEntity } from './outgoing.entity';

type Columns = Pick<OutgoingEntity, 'assetKind' | 'contract' | 'tokenId'>;

/** A contract call is treated as a movement of the native asset. */
export function assetOfRow({ assetKind, contract, tokenId }: Columns): TransferAsset {
  if (assetKind === 'Native' || assetKind === 'Call') return { kind: 'Native' };
  invariant(contract !== null, 'a token has an address');
  if (assetKind !== 'Erc721') return { kind: assetKind, contract };
  invariant(tokenId !== null, 'a non-fungible token has a number');
  return { kind: 'Erc721', contract, tokenId };
}

/** For orders to the signer, a contract call is still a call, not a movement of the native asset. */
export const effectAssetOf = (row: Columns): TransferAsset | { readonly kind: 'Call' } =>
  row.assetKind === 'Call' ? { kind: 'Call' } : assetOfRow(row);
