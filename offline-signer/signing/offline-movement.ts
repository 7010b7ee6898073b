import type { Effect } from '../../chains/types';
import type { MovedOffline } from './judged-request';

/** Undefined for a call whose bytes do not show who receives which amount. */
export function offlineMovement({ asset, recipient, amountUnits }: Effect): MovedOffline | undefined {
  if (asset.kind === 'Call') return undefined;
  return {
    asset: asset.kind === 'Native' ? 'native' : asset.contract,
    recipients: [recipient],
    amountUnits,
    ...(asset.kind === 'Erc721' ? { tokenId: asset.tokenId } : {}),
  };
}

export const unknownCallLines = ({ recipient, amountUnits }: Effect, digest: string): readonly string[] => [
  `Calls: ${recipient}, with ${amountUnits} smallest units of the native coin`,
  `Digest of the call: ${digest}`,
];

export const coinLines = (claims: readonly string[]): readonly string[] =>
  claims.map((claim) => `Spends the coin ${claim.slice(claim.lastIndexOf(' ') + 1)}`);
