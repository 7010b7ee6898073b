import { chainIdOf, factsOf, findBareNetwork, networkOf, whyUnread } from '../../chains/networks';
import { CAPABILITIES } from '../../domain/capabilities';
import { tierHas, tierParts } from '../../domain/capability-tiers';
import { invariant } from '../../domain/errors';
import { BARE_NETWORK_NAMES, type BareNetworkName, NETWORK_NAMES, type NetworkName } from '../../domain/networks';
import type { AssetKind } from '../../domain/transfers';
import { isSpedUpOn, replacementOf } from '../outgoing/request-replacement';
import type { Services } from '../services';
import { hasNode } from './enabled-networks';

type Readers = Services['readers'];

function served(readers: Readers, name: NetworkName) {
  const network = networkOf(name);
  const { transferKinds, options, fees } = CAPABILITIES[network.family];
  const { lacks } = factsOf(network);
  const isMoved = (kind: AssetKind) => !lacks.includes(kind) && tierHas(network.tier, kind === 'Native' ? 'Transfers' : 'Tokens');
  const replacement = replacementOf(name);
  return {
    ...common(network),
    chainId: chainIdOf(network),
    tierHas: tierParts(network.tier).filter((part) => part !== 'IncomingPayments' || whyUnread(network) === undefined),
    isServed: true,
    isEnabled: hasNode(readers, name),
    finality: { confirmations: network.confirmations },
    capabilities: {
      transferKinds: transferKinds.filter(isMoved),
      options: [...options],
      fees,
      cancel: replacement !== undefined,
      speedUp: isSpedUpOn(name),
      ...(replacement?.needs === undefined ? {} : { replacementNeeds: replacement.needs }),
    },
  };
}

function bare(name: BareNetworkName) {
  const network = findBareNetwork(name);
  invariant(network, `${name} has a record`);
  return {
    ...common(network),
    tierHas: tierParts(network.tier).filter((part) => part !== 'IncomingPayments'),
    addressForm: network.addressForm,
    isServed: false,
    isEnabled: false,
  };
}

type Recorded = ReturnType<typeof networkOf> | NonNullable<ReturnType<typeof findBareNetwork>>;

const common = ({
  name,
  family,
  isMainnet,
  standing,
  note,
  tier,
  nativeAsset,
  slip44,
  scheme,
  curve,
  explorerTxUrl,
}: Recorded) => ({
  ...{ name, family, isMainnet, standing, tier, nativeAsset, slip44, scheme, curve },
  ...(note === undefined ? {} : { note }),
  ...(explorerTxUrl === undefined ? {} : { explorerTxUrl }),
});

export const listNetworks = ({ readers }: Pick<Services, 'readers'>) => [
  ...NETWORK_NAMES.map((name) => served(readers, name)),
  ...BARE_NETWORK_NAMES.map(bare),
];
