import type { EvmNetworkOf, EvmVariant, OfEachVariant } from './types';
import { celoSlots } from './variants/celo';
import { ethereumSlots } from './variants/ethereum';
import { legacySlots } from './variants/legacy';
import { opStackSlots } from './variants/op-stack';
import type { EvmVariantSlots } from './variants/slots';
import { tempoSlots } from './variants/tempo';

/** The builder's slots of each variant; the compiler requires all of them of a new one. */
export const VARIANTS: OfEachVariant<EvmVariantSlots> = {
  ethereum: ethereumSlots,
  legacy: legacySlots,
  opStack: opStackSlots,
  celo: celoSlots,
  tempo: tempoSlots,
};

/** Looks up a network's slots by its record, which a configuration may have changed since an earlier call. */
export function variantOf<V extends EvmVariant>(network: EvmNetworkOf<V> & { readonly variant: V }): EvmVariantSlots {
  const slotsOf: (own: EvmNetworkOf<V>) => EvmVariantSlots = VARIANTS[network.variant];
  return slotsOf(network);
}
