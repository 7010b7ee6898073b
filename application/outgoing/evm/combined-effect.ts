import type { Effect } from '../../../chains/types';
import { invariant } from '../../../domain/errors';
import { contractOf } from '../../../domain/transfers';

/** A call that looks like a token transfer may be none: only calls of known tokens count as one. */
export const knownEffects = (effects: readonly Effect[], tokens: readonly string[]): readonly Effect[] =>
  effects.map((effect): Effect => {
    const { asset } = effect;
    if (asset.kind === 'Native' || asset.kind === 'Call') return effect;
    if (asset.kind === 'Erc20' && tokens.includes(asset.contract)) return effect;
    return { asset: { kind: 'Call' }, recipient: asset.contract, amountUnits: 0n };
  });

const nativeUnitsOf = ({ asset, amountUnits }: Effect) => (asset.kind === 'Native' || asset.kind === 'Call' ? amountUnits : 0n);

/**
 * The combined movement of several calls, as one row: the sum of one asset, or, for several assets or an unknown effect, a `Call` with the
 * native value that goes along. The recipient is that of the first.
 */
export function combinedEffect(effects: readonly Effect[]): Effect {
  const [first] = effects;
  invariant(first, 'there is one call at least');
  const { asset, recipient } = first;
  const total = (unitsOf: (effect: Effect) => bigint) => effects.reduce((sum, effect) => sum + unitsOf(effect), 0n);
  const isOneAsset =
    asset.kind !== 'Call' &&
    effects.every(({ asset: other }) => other.kind === asset.kind && contractOf(other) === contractOf(asset));
  if (isOneAsset) return { asset, recipient, amountUnits: total(({ amountUnits }) => amountUnits) };
  return { asset: { kind: 'Call' }, recipient, amountUnits: total(nativeUnitsOf) };
}
