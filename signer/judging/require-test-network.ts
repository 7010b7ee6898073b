import { isOfFamily } from '../../chains/families';
import { findNetwork } from '../../chains/networks';
import type { NetworkOf } from '../../chains/types';
import type { Family } from '../../domain/networks';
import { Refusal, refuseUnless } from '../wire/refusal';

/** As for every order: what is not known to be a test network is not signed for (S1), until the order is judged against the approvals behind it. */
export function testNetworkIn<F extends Family>(family: F, name: string): NetworkOf<F> {
  const network = findNetwork(name);
  if (!network || !isOfFamily(family, network)) throw new Refusal('UnknownNetwork');
  refuseUnless(!network.isMainnet, 'MainnetNotAllowed');
  return network;
}
