import { CAPABILITIES } from '../domain/capabilities';
import { tierHas } from '../domain/capability-tiers';
import { AppError } from '../domain/errors';
import type { KeyForm } from '../domain/keys';
import { BARE_NETWORK_NAMES, FAMILIES, type Family, NETWORK_NAMES, type NetworkName } from '../domain/networks';
import type { AssetKind } from '../domain/transfers';
import { RpcUrls as RpcUrlsText } from '../platform/config';
import { BARE_NETWORKS } from './catalogue/networks';
import type { BareNetwork } from './catalogue/types';
import { evmFacts } from './evm/facts';
import { ETHEREUM } from './evm/networks/ethereum';
import { OTHERS } from './evm/networks/mainstream';
import { OP_ROLLUPS, ROLLUPS } from './evm/networks/rollups';
import { OWN_WAYS } from './evm/networks/with-own-transactions';
import type { EvmNetwork, EvmOverrides } from './evm/types';
import { isOfFamily, madeFor, type OfEachFamily } from './families';
import { solana } from './solana/networks/solana';
import { solanaDevnet } from './solana/networks/solana-devnet';
import type { ChainReader, Network } from './types';
import { utxoChainId } from './utxo/identity';
import { bitcoin } from './utxo/networks/bitcoin';
import { bitcoinCash } from './utxo/networks/bitcoin-cash';
import { bitcoinCashTestnet } from './utxo/networks/bitcoin-cash-testnet';
import { bitcoinSignet } from './utxo/networks/bitcoin-signet';
import { bitcoinTestnet3 } from './utxo/networks/bitcoin-testnet3';
import { bitcoinTestnet4 } from './utxo/networks/bitcoin-testnet4';
import { dogecoin } from './utxo/networks/dogecoin';
import { dogecoinTestnet } from './utxo/networks/dogecoin-testnet';
import { litecoin } from './utxo/networks/litecoin';
import { litecoinTestnet } from './utxo/networks/litecoin-testnet';

export const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  ...ETHEREUM,
  ...ROLLUPS,
  ...OP_ROLLUPS,
  ...OWN_WAYS,
  ...OTHERS,
  Solana: solana,
  SolanaDevnet: solanaDevnet,
  Bitcoin: bitcoin,
  BitcoinSignet: bitcoinSignet,
  BitcoinTestnet3: bitcoinTestnet3,
  BitcoinTestnet4: bitcoinTestnet4,
  BitcoinCash: bitcoinCash,
  BitcoinCashTestnet: bitcoinCashTestnet,
  Dogecoin: dogecoin,
  DogecoinTestnet: dogecoinTestnet,
  Litecoin: litecoin,
  LitecoinTestnet: litecoinTestnet,
};

/** Addresses by network name, with the preferred node first. A network without an address is not enabled. */
export type RpcUrls = Readonly<Record<string, readonly string[] | undefined>>;

export type RecordOverrides = Pick<
  Network,
  'confirmations' | 'feeCeilingUnits' | 'watchedBlocks' | 'speedsUpStuck' | 'unread' | 'provesBlocks'
> &
  EvmOverrides;

const current = new Map<NetworkName, Network>(NETWORK_NAMES.map((name) => [name, NETWORKS[name]]));

/**
 * Changes the record in this process only. A process calls this function at its start. The signer never calls this function, and
 * uses the records as they are in the code.
 */
export function overrideRecord(name: NetworkName, overrides: Partial<RecordOverrides>): void {
  current.set(name, { ...networkOf(name), ...overrides });
}

export function networkOf(name: NetworkName): Network {
  return current.get(name) ?? NETWORKS[name];
}

export function findNetwork(name: string): Network | undefined {
  const known = NETWORK_NAMES.find((candidate) => candidate === name);
  return known && networkOf(known);
}

export function findBareNetwork(name: string): BareNetwork | undefined {
  const known = BARE_NETWORK_NAMES.find((candidate) => candidate === name);
  return known && BARE_NETWORKS[known];
}

export function enabledNetworks(rpcUrls: RpcUrls): Network[] {
  return NETWORK_NAMES.filter((name) => (rpcUrls[name]?.length ?? 0) > 0).map(networkOf);
}

const MAINNET_NODES_MIN = 2;
const hostsOf = (urls: readonly string[] = []): ReadonlySet<string> => new Set(urls.map((url) => new URL(url).hostname));

/**
 * Every role that has node addresses calls this function at its start. If networks are not allowed, throws an error that names
 * them and the reason.
 */
export function assertNetworksAllowed(rpcUrls: RpcUrls): void {
  const bare = Object.keys(rpcUrls).find((name) => findBareNetwork(name));
  if (bare !== undefined)
    throw new AppError('NetworkNotEnabled', `${bare} cannot be configured: this release has no code for it`);
  const unknown = Object.keys(rpcUrls).filter((name) => !findNetwork(name));
  if (unknown.length > 0) throw new AppError('NetworkNotEnabled', `There is no record of a network called ${unknown.join(', ')}`);
  const ended = enabledNetworks(rpcUrls).filter(({ standing }) => standing === 'Retired');
  for (const { name, note = 'it has ended' } of ended)
    throw new AppError('NetworkNotEnabled', `${name} cannot be configured because it is retired: ${note}`, { networks: name });
  const lonely = enabledNetworks(rpcUrls).filter(
    ({ name, isMainnet }) => isMainnet && hostsOf(rpcUrls[name]).size < MAINNET_NODES_MIN,
  );
  if (lonely.length === 0) return;
  const names = lonely.map((network) => network.name).join(', ');
  throw new AppError('NetworkNotEnabled', `${names}: a mainnet needs nodes on at least ${MAINNET_NODES_MIN} hosts`, {
    networks: names,
  });
}

/** Networks that `assertNetworksAllowed` refuses, such as unknown networks, are faults of the configuration (S1). */
export const AllowedRpcUrls = RpcUrlsText.superRefine((urls, faults) => {
  try {
    assertNetworksAllowed(urls);
  } catch (error) {
    faults.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is refused' });
  }
}).meta({
  // The addresses of node providers often contain API keys.
  secret: true,
  description:
    'Addresses of the nodes of each network, as `{"EthereumSepolia":["https://node-a","https://node-b"]}`, tried in order; a network without nodes is not enabled.',
});

type Installation = { readonly NODE_ENV: string; readonly NETWORK_RPC_URLS: RpcUrls };
/** Only a production installation may serve a mainnet, because anyone can read the keys and passwords of a trial installation. */
export const MAINNET_RULE = {
  holds: ({ NODE_ENV, NETWORK_RPC_URLS }: Installation): boolean =>
    NODE_ENV === 'production' || !enabledNetworks(NETWORK_RPC_URLS).some(({ isMainnet }) => isMainnet),
  fault: { path: ['NETWORK_RPC_URLS'], message: 'names a mainnet, which needs NODE_ENV=production' },
};

type NetworkFacts = {
  readonly chainId: string;
  /**
   * Networks with the same text accept each other's signatures. The text is the chain id if every signature covers the chain id.
   */
  readonly signatureDomain: string;
  /** Key forms that have addresses on the network in addition to the record's own form. */
  readonly otherForms: readonly KeyForm[];
  /** Assets that the family moves but this network does not. */
  readonly lacks: readonly AssetKind[];
  /** Tokens that can pay fees instead of the coin. */
  readonly feesAlsoIn: readonly { readonly contract: string; readonly symbol: string }[];
  /** False if the nonces of an account form several sequences, or may expire unused. */
  readonly hasOneSequence: boolean;
};

const TAPROOT_FORM: KeyForm = { scheme: 'Schnorr', curve: 'secp256k1' };
const PLAIN = { otherForms: [], lacks: [], feesAlsoIn: [], hasOneSequence: true } as const;
const FACTS: OfEachFamily<NetworkFacts> = {
  evm: (network) => ({ ...PLAIN, ...evmFacts(network), signatureDomain: String(network.chainId) }),
  utxo: (network) => ({
    ...PLAIN,
    chainId: utxoChainId(network),
    // A signature covers the spent coin, but does not specify the network. Only a fork id protects coins that are older than the
    // fork.
    signatureDomain: network.digest === 'ForkId' ? 'utxo with a fork id' : 'utxo',
    otherForms: network.forms.includes('P2TR') ? [TAPROOT_FORM] : [],
  }),
  // Only the blockhash in a message distinguishes the networks, and only a node knows the blockhash.
  solana: ({ genesisHash }) => ({ ...PLAIN, chainId: genesisHash, signatureDomain: 'solana' }),
};

export const factsOf = (network: Network): NetworkFacts => madeFor(FACTS, network);

/** The reason why the service does not read the network's blocks. Undefined if the service reads the blocks. */
export function whyUnread({ name, family, tier, unread }: Network): string | undefined {
  if (!tierHas(tier, 'IncomingPayments')) return `${name} is a network of tier ${tier}`;
  if (!CAPABILITIES[family].isRead) return `the blocks of ${family} networks are not read yet`;
  return unread;
}

/** The reason why the network's earlier blocks cannot be read for one address. Undefined if they can be read. */
export function whyNotBackfilled(network: Network): string | undefined {
  if (CAPABILITIES[network.family].isBackfilled) return whyUnread(network);
  return `a payment on ${network.name} names the spent coins but no sender, so blocks cannot be read later for one address`;
}

/** Several times the depth of any accidental reorganisation so far. */
const WATCHED_BLOCKS = 64;

/** A reorganisation of up to this number of blocks is noticed, even after finality (S14). */
export const watchedDepthOf = ({ confirmations, watchedBlocks = WATCHED_BLOCKS }: Network): number =>
  confirmations + watchedBlocks;

/** True if keys of this form have addresses on the network. Some networks have addresses for two forms (BIP86). */
export const isFormOf = (network: Network, { scheme, curve }: KeyForm): boolean =>
  [network, ...factsOf(network).otherForms].some((form) => form.scheme === scheme && form.curve === curve);

/** Searches the records of all networks, so that no family is left out. */
export const familiesOf = (key: KeyForm): readonly Family[] =>
  FAMILIES.filter((family) => NETWORK_NAMES.map(networkOf).some((one) => one.family === family && isFormOf(one, key)));

/**
 * `named` is the token in which the bytes pay the fee. Without `named`, the result contains the coin and every token that can pay
 * fees.
 */
export function feeSymbolsOf(network: Network, named: string | undefined): string[] {
  const tokens = factsOf(network).feesAlsoIn.filter(({ contract }) => named === undefined || contract === named);
  return [...(named === undefined ? [network.nativeAsset.symbol] : []), ...tokens.map(({ symbol }) => symbol)];
}

/**
 * A cache, because the signer looks up the twins (other networks on which the signature is valid) for each order. No override
 * changes the family or the domain of a network.
 */
const twinNames = new Map<NetworkName, readonly NetworkName[]>();

/** The other networks on which signatures for this network are also valid, if the same key has funds there. */
export function twinsOf(network: Network): Network[] {
  const names = twinNames.get(network.name) ?? namesOfTwins(network);
  twinNames.set(network.name, names);
  return names.map(networkOf);
}

function namesOfTwins(network: Network): readonly NetworkName[] {
  const { signatureDomain } = factsOf(network);
  return NETWORK_NAMES.filter((name) => {
    const other = networkOf(name);
    return other.family === network.family && name !== network.name && factsOf(other).signatureDomain === signatureDomain;
  });
}

export const chainIdOf = (network: Network): string => factsOf(network).chainId;

/** The network need not be enabled. */
export const findEvmNetwork = (chainId: number | bigint): EvmNetwork | undefined =>
  NETWORK_NAMES.map(networkOf).find(
    (network): network is EvmNetwork => isOfFamily('evm', network) && BigInt(network.chainId) === BigInt(chainId),
  );

/**
 * A process calls this function as soon as the nodes respond. A node of another chain might accept transactions that are signed
 * for this network.
 */
export async function assertChainIds(networks: readonly Network[], readerOf: (name: NetworkName) => ChainReader): Promise<void> {
  for (const network of networks) {
    const chainId = await readerOf(network.name).chainId();
    const expected = chainIdOf(network);
    if (chainId === expected) continue;
    throw new AppError('NetworkNotEnabled', `The node of ${network.name} reports chain id ${chainId} instead of ${expected}`);
  }
}
