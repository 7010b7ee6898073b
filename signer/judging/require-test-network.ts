import { isOfFamily } from '../../chains/families';
import { findNetwork } from '../../chains/networks';
import type { NetworkOf } from '../../chains/types';
import type { Family } from '../../domain/networks';
import { Refusal, refuseUnless } from '../wire/refusal';

/** Refuses unknown networks (S1). */
export function requireNetwork<F extends Family>(family: F, name: string): NetworkOf<F> {
  const network = findNetwork(name);
  if (!network || !isOfFamily(family, network)) throw new Refusal('UnknownNetwork');
  return network;
}

/** Also refuses mainnets, because this signer does not yet judge the approvals of an order. */
export function requireTestNetwork<F extends Family>(family: F, name: string): NetworkOf<F> {
  const network = requireNetwork(family, name);
  refuseUnless(!network.isMainnet, 'MainnetNotAllowed');
  return network;
}
