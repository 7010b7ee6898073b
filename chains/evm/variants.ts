import type { EvmNetworkOf, EvmVariant, OfEachVariant } from './types';
import { celoSlots } from './variants/celo';
import { ethereumSlots } from './variants/ethereum';
import { legacySlots } from './variants/legacy';
import { opStackSlots } from './variants/op-stack';
import type { EvmVariantSlots } from './variants/slots';
import { tempoSlots } from './variants/tempo';

/** The builder's slots of each variant. A new variant does not compile before it has all slots. */
export const VARIANTS: OfEachVariant<EvmVariantSlots> = {
  ethereum: ethereumSlots,
  legacy: legacySlots,
  opStack: opStackSlots,
  celo: celoSlots,
  tempo: tempoSlots,
};

/**
 * The slots of a network. Each call makes new slots from the network's record, because a configuration may have changed the
 * record.
 */
export function variantOf<V extends EvmVariant>(network: EvmNetworkOf<V> & { readonly variant: V }): EvmVariantSlots {
  const slotsOf: (own: EvmNetworkOf<V>) => EvmVariantSlots = VARIANTS[network.variant];
  return slotsOf(network);
}
