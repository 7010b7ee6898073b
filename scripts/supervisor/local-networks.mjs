import { join } from 'node:path';
import { Refusal } from '../prepare/run.mjs';
import { answersRpc } from './readiness.mjs';

const VARIABLE = 'LOCAL_NETWORKS';
/** The word that adds an offline key store and the machines of its people to the trial. */
export const OFFLINE = 'offline';

/** `local/bitcoin.ts` starts the node's own program and a proxy for it. The preparation has found this program for `kind`. */
const bitcoinNode = (kind, title, network, port, needs = 'coinNodes') => ({
  name: kind,
  title,
  networks: [network],
  port,
  file: 'local/bitcoin.js',
  needs,
  env: ({ port: own, folder, part }) => ({
    COIN_KIND: kind,
    COIN_NETWORK: network,
    COIN_PORT: String(own),
    COIN_FOLDER: folder,
    COIN_NODE: JSON.stringify(part[kind]),
  }),
  ready: (own) => answersRpc(own, 'getblockcount'),
});

/** An anvil whose rules differ from Ethereum's. Its proxy is the same program as for the trial's Ethereum chain. */
const evmChain = (name, title, network, { chainId, variant, confirmations }, port) => ({
  name,
  title,
  networks: [network],
  port,
  file: 'local/chain.js',
  needs: 'anvil',
  env: ({ port: own, folder, part }) => ({
    ANVIL_PATH: part,
    CHAIN_PORT: String(own),
    CHAIN_ID: String(chainId),
    CHAIN_VARIANT: variant,
    CHAIN_CONFIRMATIONS: String(confirmations),
    CHAIN_STATE_FILE: join(folder, 'state.gz'),
  }),
  ready: (own) => answersRpc(own, 'eth_chainId'),
});

/**
 * The local Solana network does not need a node program, because the engine is an npm package. The faucet is `requestAirdrop`.
 */
const solanaBank = {
  name: 'solana',
  title: 'the local Solana bank',
  networks: ['SolanaDevnet'],
  port: { variable: 'SOLANA_PORT', standard: 8899 },
  file: 'local/solana/main.js',
  env: ({ port, folder }) => ({ SOLANA_PORT: String(port), SOLANA_STATE_FILE: join(folder, 'journal') }),
  ready: (own) => answersRpc(own, 'getHealth'),
};

/**
 * The nodes that a local trial can have in addition to its Ethereum chain. `name` selects the node in the option `--with`. The
 * name is also the node's role. The name contains no dash, because a dash marks a further process of a role, as in `worker-2`.
 * `file` is the compiled file that runs as the node. `needs` names the member of the preparation's result that contains the
 * node's program. `ready` returns undefined once the node serves requests. A node with `standard: true` always runs.
 */
export const LOCAL_NETWORKS = [
  bitcoinNode('bitcoin', 'the local Bitcoin node', 'BitcoinSignet', { variable: 'BITCOIN_PORT', standard: 8541 }),
  bitcoinNode('litecoin', 'the local Litecoin node', 'LitecoinTestnet', { variable: 'LITECOIN_PORT', standard: 8542 }),
  bitcoinNode(
    'bitcoincash',
    'the local Bitcoin Cash node',
    'BitcoinCashTestnet',
    { variable: 'BITCOINCASH_PORT', standard: 8543 },
    'cashNode',
  ),
  evmChain(
    'optimism',
    'the local rollup',
    'OptimismSepolia',
    { chainId: 11_155_420, variant: 'Optimism', confirmations: 5 },
    { variable: 'OPTIMISM_PORT', standard: 8546 },
  ),
  evmChain(
    'celo',
    'the local Celo chain',
    'CeloAlfajores',
    { chainId: 44_787, variant: 'Celo', confirmations: 3 },
    { variable: 'CELO_PORT', standard: 8547 },
  ),
  evmChain(
    'tempo',
    'the local Tempo chain',
    'TempoModerato',
    { chainId: 42_431, variant: 'Tempo', confirmations: 3 },
    { variable: 'TEMPO_PORT', standard: 8548 },
  ),
  evmChain(
    'classic',
    'the local Ethereum Classic chain',
    'EthereumClassicMordor',
    { chainId: 63, variant: 'Classic', confirmations: 12 },
    { variable: 'CLASSIC_PORT', standard: 8549 },
  ),
  solanaBank,
];

export const localNetworkPorts = Object.fromEntries(
  LOCAL_NETWORKS.map(({ name, title, port }) => [name, { name: title, ...port, http: true }]),
);

/**
 * The names that follow `--with`, separated by commas. Throws a `Refusal` for any other option, and for `--with` without a
 * name.
 */
export function wordsBehindWith(args) {
  const words = [];
  for (let at = 0; at < args.length; at += 1) {
    const [option, inline] = args[at].split('=', 2);
    if (option !== '--with') throw new Refusal(`There is no option ${args[at]}; \`--with\` is the only one. ${advice()}`);
    const given = inline ?? args[++at];
    if (!given) throw new Refusal(`--with needs a name. ${advice()}`);
    words.push(given);
  }
  return words.join(',');
}

const wordsIn = (env) => (env[VARIABLE] ?? '').split(',').flatMap((word) => word.trim() || []);

/** True if the trial gets an offline key store. */
export const choosesOffline = (env) => wordsIn(env).includes(OFFLINE);

/** The nodes that always run, and the nodes that `LOCAL_NETWORKS` names. Throws a `Refusal` for an unknown name. */
export function chosenNetworks(env) {
  const words = wordsIn(env).filter((word) => word !== OFFLINE);
  const unknown = words.filter((word) => !LOCAL_NETWORKS.some(({ name }) => name === word));
  if (unknown.length > 0) throw new Refusal(`There is no local network ${unknown.join(', ')}. ${advice()}`);
  return LOCAL_NETWORKS.filter(({ name, standard }) => standard || words.includes(name));
}

const advice = () => `It accepts ${[...LOCAL_NETWORKS.map(({ name }) => name), OFFLINE].join(', ')}; separate several by commas.`;

/** The addresses of the local networks, in the form of the variable `NETWORK_RPC_URLS`. */
export const localUrls = ({ ports, localNetworks }) =>
  Object.fromEntries(
    localNetworks.flatMap(({ name, networks }) => networks.map((network) => [network, [`http://127.0.0.1:${ports[name]}`]])),
  );

export const localNetworkEnvs = ({ settings, parts, base }) =>
  Object.fromEntries(
    settings.localNetworks.map(({ name, needs, env }) => {
      const own = { port: settings.ports[name], folder: join(settings.dataFolder, 'networks', name), part: parts[needs] };
      return [name, { ...base, ...env(own) }];
    }),
  );
