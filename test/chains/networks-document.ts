import { findBareNetwork, networkOf } from '../../chains/networks';
import { TIER_HAS, tierParts } from '../../domain/capability-tiers';
import { BARE_NETWORK_NAMES, type BareNetworkName, NETWORK_NAMES, type NetworkName } from '../../domain/networks';
import { LEVELS, VERIFICATION } from './verification';

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (heads: readonly string[], rows: readonly string[]) =>
  [row(heads), row(heads.map(() => '---')), ...rows].join('\n');

const TIERS = table(
  ['Tier', ...TIER_HAS[1]],
  ([1, 2, 3] as const).map((tier) => row([tier, ...TIER_HAS[1].map((part) => (tierParts(tier).includes(part) ? 'yes' : '–'))])),
);

const INTRODUCTION = `# Networks

Generated from the records by \`npx jest --selectProjects unit --testPathPatterns networks-document\`, which writes \`.cache/networks.md\`; the
test fails if this file differs from it. [operations.md](operations.md#nodes) describes the configuration of nodes.

A **record** describes a network; the code of its **family** implements it. A network is *served* if both exist, and *enabled* if
\`NETWORK_RPC_URLS\` lists nodes for it. A call that needs the missing code of a network fails with \`NetworkNotEnabled\` (400). A request for a signature
on a network that is not enabled fails with the same code, unless \`SIGN_WITHOUT_NODES\` lists the network. A process refuses to start with a retired
network, and a mainnet needs a [charter](operations.md#mainnets) that lists it.

**Tier** states how much of a network can be read:

* 1: the standard interface of the network's nodes reports every transfer in a block, including tokens, so transfers are followed to \`Confirmed\`.
  [Incoming payments](indexing.md) and history are read only on these networks.
* 2: a node reports native balances and native transfers. The rest needs indexes of third parties, so only native balances are read.
* 3: there is no public node, or the chain is not identified. A wallet on the network can only have an address and sign.

A request for a feature that a tier lacks fails with \`NotFound\` (404), and the error contains the network, the tier and the feature. \`GET /networks\`
lists the features of each network in \`tierHas\`. For a network that is not served, the second table gives the tier that the network's nodes would
allow.

${TIERS}

**Standing** is one of these words:

* \`Live\`: the chain runs.
* \`Deprecated\`: the chain runs and has a successor.
* \`Retired\`: the chain has ended.
* \`Unclear\`: no source identifies the chain with certainty. A guess could sign for another chain, so the record has only a name.

**Proved** states how far transfers were verified:

* *${LEVELS.Broadcast}*: transfers were sent to a node that runs the chain's own software, or the software that all chains of the same kind share, and
  were confirmed.
* *${LEVELS.Engine}*: transfers were executed without the chain's network.
* *${LEVELS.Vectors}*: addresses and signed bytes match an independent implementation, but no bytes were sent to that chain. All these
  networks still need a trial on their public test network.
`;

const linked = (name: string, url: string | undefined) =>
  url === undefined
    ? name
    : `[${name}](${url.replace(/\/?(?:txn?s?|transaction|transactions|txblock|extrinsic)?\/\{txHash\}.*$/, '').replace(/#$/, '')})`;

function servedRow(name: NetworkName): string {
  const network = networkOf(name);
  const proof = VERIFICATION[name];
  return row([
    linked(name, network.explorerTxUrl),
    network.family,
    'genesisHash' in network ? `\`${network.genesisHash.slice(0, 12)}…\`` : network.chainId,
    `${network.nativeAsset.symbol} ${network.nativeAsset.decimals}`,
    network.slip44,
    network.confirmations,
    network.tier,
    network.isMainnet ? 'main' : 'test',
    network.standing,
    proof ? `[${LEVELS[proof.level]}](../${proof.by})` : '',
    network.note ?? '',
  ]);
}

function bareRow(name: BareNetworkName): string {
  const network = findBareNetwork(name);
  if (!network) throw new Error(`${name} has no record`);
  return row([
    linked(name, network.explorerTxUrl),
    network.family,
    `${network.scheme} ${network.curve}`,
    network.addressForm,
    `${network.nativeAsset.symbol ?? 'unknown'} ${network.nativeAsset.decimals}`,
    network.slip44,
    network.tier,
    network.isMainnet ? 'main' : 'test',
    network.standing,
    network.note ?? '',
  ]);
}

/** The text of `docs/networks.md`, generated from the records. */
export const networksDocument = (): string => `${INTRODUCTION}
## Served

${table(
  ['Network', 'Family', 'Chain', 'Coin', 'SLIP-44', 'Final after', 'Tier', 'Kind', 'Standing', 'Proved', 'Remark'],
  NETWORK_NAMES.map(servedRow),
)}

## Known and not served

${table(
  ['Network', 'Family', 'Key', 'Address', 'Coin', 'SLIP-44', 'Tier', 'Kind', 'Standing', 'Remark'],
  BARE_NETWORK_NAMES.map(bareRow),
)}
`;
