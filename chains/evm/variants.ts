import type { EvmNetworkOf, EvmVariant, OfEachVariant } from './types';
import { celoSlots } from './variants/celo';
import { ethereumSlots } from './variants/ethereum';
import { legacySlots } from './variants/legacy';
import { opStackSlots } from './variants/op-stack';
import type { EvmVariantSlots } from './variants/slots';
import { tempoSlots } from './variants/tempo';

export const VARIANTS: OfEachVariant<EvmVariantSlots> = {
  ethereum: ethereumSlots,
  legacy: legacySlots,
  opStack: opStackSlots,
  celo: celoSlots,
  tempo: tempoSlots,
};

/** Makes new slots at each call, because a configuration may have changed the network's record. */
export function variantOf<V extends EvmVariant>(network: EvmNetworkOf<V> & { readonly variant: V }): EvmVariantSlots {
  const slotsOf: (own: EvmNetworkOf<V>) => EvmVariantSlots = VARIANTS[network.variant];
  return slotsOf(network);
}
