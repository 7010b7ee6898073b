import { z } from 'zod';
import { CAPABILITIES } from '../domain/capabilities';
import { AppError } from '../domain/errors';
import { JsonText } from '../platform/config';
import { isOfCall } from './evm/errors';
import { madeFor, type OfEachFamily } from './families';
import { chainIdOf, factsOf, findNetwork, overrideRecord, type RpcUrls } from './networks';
import type { RpcOptions } from './rpc/rpc';
import type { Network } from './types';
import { identifyingBlock } from './utxo/identity';

/** Finality must not need more blocks than a follower keeps for comparison. */
const CONFIRMATIONS_MAX = 300;
/**
 * A starting follower queries each watched block that has a transaction of this service, so the number of watched blocks is
 * limited.
 */
const WATCHED_BLOCKS_MAX = 1_000;
const UNITS = /^[1-9]\d{0,30}$/;
const percentile = z.int().min(1).max(100);

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

/**
 * True for https and for an address on this machine. The service at this address gets plaintext amounts, and the reply goes into
 * bytes that a key signs. No third party may read or change the amounts or the reply.
 */
function isPrivate(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return username === '' && password === '' && (protocol === 'https:' || LOOPBACK.test(hostname));
}

const Settings = z.strictObject({
  /** The number of nodes that must agree on balances, transaction counts, receipts and heads. */
  readQuorum: z.int().min(1).max(10).exactOptional(),
  headsApart: z.int().min(0).max(1000).exactOptional(),
  /** The limit applies to each node. */
  requestsPerSecond: z.number().min(0.1).max(100_000).exactOptional(),
  /** A transaction is final after this number of blocks, its own block included. Overrides the record. */
  confirmations: z.int().min(1).max(CONFIRMATIONS_MAX).exactOptional(),
  /** For this number of blocks after finality, a reorganisation is still noticed (S14). */
  watchedBlocks: z.int().min(0).max(WATCHED_BLOCKS_MAX).exactOptional(),
  /** The highest fee that is approved, in smallest units of the native coin. Overrides the record. */
  feeCeiling: z.string().regex(UNITS, 'must be a whole number of smallest units as digits').exactOptional(),
  /**
   * If false, only people may speed up stuck transactions or fill a missing nonce. By default the service also speeds up
   * transactions and fills nonces, within the approved limits.
   */
  speedsUpStuck: z.boolean().exactOptional(),
  /** If false, the service does not read the network's blocks: incoming payments and history are missing. */
  scan: z.boolean().exactOptional(),
  /**
   * If false, the service trusts the nodes and reads even a block whose hash does not follow from its contents (EVM). An
   * operator sets this member to false until a release knows the network's new form of blocks. Overrides the record.
   */
  provesBlocks: z.boolean().exactOptional(),
  /** Percentiles of the tips in recent blocks (EVM). */
  priorityPercentiles: z
    .strictObject({ Slow: percentile, Standard: percentile, Fast: percentile })
    .refine(({ Slow, Standard, Fast }) => Slow <= Standard && Standard <= Fast, 'must rise from Slow to Fast')
    .exactOptional(),
  /** The token, from the network's `feeCurrencies`, in which transfers pay their fees instead of the native coin. */
  feeCurrency: z.string().exactOptional(),
  /**
   * The service that encrypts ERC-7984 amounts (EVM, docs/confidential-amounts.md). Without this service no ERC-7984 token can
   * be transferred.
   */
  confidentialAmounts: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .refine(isPrivate, 'must be https, or an address of this machine, without user name and password'),
      apiKey: z.string().min(1).max(4_096),
    })
    .exactOptional(),
});
export type NetworkSettings = Readonly<Record<string, z.output<typeof Settings> | undefined>>;

/** Settings by network name as JSON, such as `{"EthereumSepolia":{"readQuorum":2}}`. */
export const NetworkSettingsText = JsonText.pipe(z.record(z.string(), Settings))
  .superRefine((settings, faults) => {
    for (const [name, { confirmations, feeCeiling, feeCurrency, confidentialAmounts }] of Object.entries(settings)) {
      const network = findNetwork(name);
      const message = faultOf();
      if (message !== undefined) faults.addIssue({ code: 'custom', path: [name], message });

      function faultOf(): string | undefined {
        if (!network) return `there is no network ${name} that can be served`;
        if (confidentialAmounts !== undefined && !CAPABILITIES[network.family].transferKinds.includes('Erc7984'))
          return 'confidentialAmounts is for the tokens of EVM networks';
        if (network.isMainnet && confirmations !== undefined && confirmations < network.confirmations)
          return `confirmations must be at least ${network.confirmations} on this mainnet`;
        const currencies = factsOf(network).feesAlsoIn;
        if (feeCurrency !== undefined && !currencies.some(({ contract }) => contract === feeCurrency))
          return `feeCurrency must be one of: ${currencies.map(({ contract }) => contract).join(', ') || 'none on this network'}`;
        if (feeCeiling === undefined || !UNITS.test(feeCeiling) || BigInt(feeCeiling) <= network.signerFeeCeilingUnits)
          return undefined;
        return `feeCeiling is above ${network.signerFeeCeilingUnits}, the most that the signer ever signs`;
      }
    }
  })
  .meta({
    // The settings contain API keys of services that encrypt amounts.
    secret: true,
    description:
      'Settings per network: agreeing nodes, rates, finality, fees, encryption of amounts ([operations.md](operations.md#nodes)).',
  });

/**
 * Overrides the records of networks with the settings. A process calls this function once, at its start. Throws
 * `NetworkNotEnabled` if `readQuorum` is above the number of the network's nodes, because no read could succeed. A network
 * without nodes is not an error.
 */
export function applySettings(rpcUrls: RpcUrls, settings: NetworkSettings): void {
  for (const [name, own = {}] of Object.entries(settings)) {
    const network = findNetwork(name);
    const nodes = new Set(rpcUrls[name]).size;
    const {
      readQuorum = 1,
      confirmations,
      watchedBlocks,
      feeCeiling,
      speedsUpStuck,
      feeCurrency,
      confidentialAmounts,
      scan,
      provesBlocks,
    } = own;
    const { priorityPercentiles: tipPercentiles } = own;
    if (readQuorum > nodes && nodes > 0)
      throw new AppError('NetworkNotEnabled', `NETWORK_SETTINGS: ${name} has ${nodes} nodes, and readQuorum is ${readQuorum}`);
    if (!network) continue;
    overrideRecord(network.name, {
      ...(confirmations === undefined ? {} : { confirmations }),
      ...(watchedBlocks === undefined ? {} : { watchedBlocks }),
      ...(feeCeiling === undefined ? {} : { feeCeilingUnits: BigInt(feeCeiling) }),
      ...(speedsUpStuck === undefined ? {} : { speedsUpStuck }),
      ...(provesBlocks === undefined ? {} : { provesBlocks }),
      ...(scan === false ? { unread: 'the operator has switched off the reading of its blocks' } : {}),
      ...(tipPercentiles === undefined ? {} : { tipPercentiles }),
      ...(feeCurrency === undefined ? {} : { feeCurrency }),
      ...(confidentialAmounts === undefined ? {} : { hasConfidentialAmounts: true }),
    });
  }
}

/**
 * The address and API key of the service that encrypts a network's amounts. Records do not contain credentials, so both come from
 * settings.
 */
export const encryptionAccessIn =
  (settings: NetworkSettings) =>
  (network: string): { readonly baseUrl: string; readonly apiKey: string } | undefined => {
    const { confidentialAmounts } = settings[network] ?? {};
    return confidentialAmounts && { baseUrl: confidentialAmounts.url.replace(/\/+$/, ''), apiKey: confidentialAmounts.apiKey };
  };

type FamilyRpcOptions = Pick<RpcOptions, 'identity' | 'isOfQuestion' | 'longNumbersAsText'>;

const RPC_OPTIONS: OfEachFamily<FamilyRpcOptions> = {
  evm: ({ chainId }) => ({
    identity: { method: 'eth_chainId', params: [], expected: `0x${chainId.toString(16)}` },
    isOfQuestion: isOfCall,
  }),
  utxo: (network) => {
    const { height, hash } = identifyingBlock(network);
    return { identity: { method: 'getblockhash', params: [height], expected: hash } };
  },
  solana: (network) => ({
    identity: { method: 'getGenesisHash', params: [], expected: chainIdOf(network) },
    // Accounts can hold more lamports than a JavaScript number can express.
    longNumbersAsText: true,
  }),
};

export function rpcOptionsOf(network: Network, settings: NetworkSettings): RpcOptions {
  const { readQuorum, headsApart, requestsPerSecond } = settings[network.name] ?? {};
  return {
    ...(readQuorum === undefined ? {} : { readQuorum }),
    ...(headsApart === undefined ? {} : { headsApart }),
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    ...madeFor(RPC_OPTIONS, network),
  };
}
