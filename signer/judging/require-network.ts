import { isOfFamily } from '../../chains/families';
import { findNetwork } from '../../chains/networks';
import type { NetworkOf } from '../../chains/types';
import type { Family } from '../../domain/networks';
import { Refusal } from '../wire/refusal';

/** Refuses unknown networks (S1). `allowed-network.ts` decides about mainnets. */
export function requireNetwork<F extends Family>(family: F, name: string): NetworkOf<F> {
  const network = findNetwork(name);
  if (!network || !isOfFamily(family, network)) throw new Refusal('UnknownNetwork');
  return network;
}
