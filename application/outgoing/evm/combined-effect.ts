import type { Effect } from '../../../chains/types';
import { invariant } from '../../../domain/errors';
import { contractOf } from '../../../domain/transfers';

/**
 * Replaces each effect on an unknown token by a `Call` to that token's address. A call that looks like a token transfer may do
 * something else if the called contract is not a known token.
 */
export const knownEffects = (effects: readonly Effect[], tokens: readonly string[]): readonly Effect[] =>
  effects.map((effect): Effect => {
    const { asset } = effect;
    if (asset.kind === 'Native' || asset.kind === 'Call') return effect;
    if (asset.kind === 'Erc20' && tokens.includes(asset.contract)) return effect;
    return { asset: { kind: 'Call' }, recipient: asset.contract, amountUnits: 0n };
  });

const nativeUnitsOf = ({ asset, amountUnits }: Effect) => (asset.kind === 'Native' || asset.kind === 'Call' ? amountUnits : 0n);

export function combinedEffect(effects: readonly Effect[]): Effect {
  const [first] = effects;
  invariant(first, 'there is at least one call');
  const { asset, recipient } = first;
  const total = (unitsOf: (effect: Effect) => bigint) => effects.reduce((sum, effect) => sum + unitsOf(effect), 0n);
  const isOneAsset =
    asset.kind !== 'Call' &&
    effects.every(({ asset: other }) => other.kind === asset.kind && contractOf(other) === contractOf(asset));
  if (isOneAsset) return { asset, recipient, amountUnits: total(({ amountUnits }) => amountUnits) };
  return { asset: { kind: 'Call' }, recipient, amountUnits: total(nativeUnitsOf) };
}
