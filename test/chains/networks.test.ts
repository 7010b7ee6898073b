import * as viemChains from 'viem/chains';
import { codecOf, evmCodecOf, solanaCodecOf, utxoCodecOf } from '../../chains/codecs';
import { decoderOf, evmDecoderOf, solanaDecoderOf, utxoDecoderOf } from '../../chains/decoders';
import { inFamily } from '../../chains/families';
import { createGateways } from '../../chains/gateways';
import {
  assertChainIds,
  assertNetworksAllowed,
  chainIdOf,
  enabledNetworks,
  findBareNetwork,
  findNetwork,
  NETWORKS,
  networkOf,
  twinsOf,
} from '../../chains/networks';
import { createReaders } from '../../chains/readers';
import { BARE_NETWORK_NAMES, NETWORK_NAMES, NETWORKS_OF, type NetworkName } from '../../domain/networks';
import { fundedCoins } from './utxo/coins';

const PUBLIC_KEY = '031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f';
const LOCAL = ['http://127.0.0.1:9'];

test('every network has a record under its own name, and no two share a chain id', () => {
  expect(Object.keys(NETWORKS).sort()).toEqual([...NETWORK_NAMES].sort());
  for (const name of NETWORK_NAMES) expect(networkOf(name).name).toBe(name);
  const chainIds = NETWORK_NAMES.map((name) => chainIdOf(networkOf(name)));
  expect(new Set(chainIds).size).toBe(chainIds.length);
});

test.each(NETWORK_NAMES)('%s: the record is complete and its ceilings are in order', (name) => {
  const network = networkOf(name);
  expect(network.confirmations).toBeGreaterThan(0);
  expect(network.inFlightMax).toBe(16);
  expect(network.feeCeilingUnits > 0n && network.feeCeilingUnits <= network.signerFeeCeilingUnits).toBe(true);
  expect(network.explorerTxUrl ?? 'https://{txHash}').toMatch(/^https:\/\/.*\{txHash\}/);
  for (const token of network.tokens) expect(codecOf(name).parseAddress(token.contract)).toBe(token.contract);
});

test.each(NETWORKS_OF.evm)('%s: builder and decoder derive the published address from the same key', (name) => {
  expect(evmCodecOf(name).addressOf(PUBLIC_KEY)).toBe('0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1');
  expect(evmDecoderOf(name).addressOf(PUBLIC_KEY)).toBe('0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1');
});

test.each(NETWORKS_OF.solana)('%s: builder and decoder derive the published address from the same key', (name) => {
  const publicKey = '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c';
  expect(solanaCodecOf(name).addressOf(publicKey)).toBe('AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9');
  expect(solanaDecoderOf(name).addressOf(publicKey)).toBe('AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9');
});

test.each(NETWORKS_OF.utxo)('%s: builder and decoder derive the same address from the same key', (name) => {
  const address = codecOf(name).addressOf(PUBLIC_KEY);
  expect(decoderOf(name).addressOf(PUBLIC_KEY)).toBe(address);
  expect(codecOf(name).parseAddress(address)).toBe(address);
});

test('a mainnet needs nodes on two hosts, and a test network one', () => {
  const paths = ['https://a.example/v1', 'https://a.example/v2'];
  expect(() => assertNetworksAllowed({ EthereumSepolia: LOCAL })).not.toThrow();
  for (const urls of [LOCAL, paths])
    expect(() => assertNetworksAllowed({ EthereumSepolia: LOCAL, Ethereum: urls })).toThrow(
      'Ethereum: a mainnet needs nodes on at least 2 hosts',
    );
  expect(() => assertNetworksAllowed({ Ethereum: ['https://a.example', 'https://b.example'] })).not.toThrow();
});

test('a network without a record is refused, and the error contains its name', () => {
  expect(() => assertNetworksAllowed({ Sepolia: LOCAL })).toThrow(/no record of a network called Sepolia/);
  expect(findNetwork('Sepolia')).toBeUndefined();
  expect(findNetwork('toString')).toBeUndefined();
});

test('a retired network, or a network without code, is refused, and the error contains its name', () => {
  expect(() => assertNetworksAllowed({ PolygonMumbai: LOCAL })).toThrow(
    /PolygonMumbai.*retired: ended in 2024 and was replaced by Amoy/,
  );
  expect(() => assertNetworksAllowed({ Tsc: LOCAL })).toThrow(/Tsc cannot be configured: this release has no code for it/);
});

test.each(BARE_NETWORK_NAMES)('%s: the record has this name, and a note if the network is not Live', (name) => {
  const network = findBareNetwork(name);
  expect(network?.name).toBe(name);
  expect(network?.isMainnet).toBe(
    !/(?:Test|Dev|Ghost|Shadow|Zodia)net|Sepolia|Preprod|Signet|Nile|Paseo|Westend|Andantino/.test(name),
  );
  expect(network?.standing === 'Live' || network?.note !== undefined).toBe(true);
  expect(network?.explorerTxUrl ?? 'https://{txHash}').toMatch(/^https:\/\/.*\{txHash\}/);
  expect(findNetwork(name)).toBeUndefined();
});

test('viem has the same chain ids, and marks the same networks as test networks', () => {
  const theirs = new Map<number, { readonly testnet?: boolean | undefined }>(
    Object.values(viemChains).flatMap((chain) => ('id' in chain ? [[chain.id, chain] as const] : [])),
  );
  const missing = NETWORKS_OF.evm.filter((name) => !theirs.has(inFamily('evm', networkOf(name)).chainId));
  // Viem does not list these chains. The notes and explorers of their records state the source.
  const elsewhere = ['EthereumClassicMordor', 'AdiTestnetAb', 'Race', 'RaceSepolia', 'Rayls', 'RaylsTestnet', 'SonicTestnet'];
  expect(missing).toEqual(elsewhere);
  const marked = NETWORKS_OF.evm.filter(
    (name) => theirs.get(inFamily('evm', networkOf(name)).chainId)?.testnet === networkOf(name).isMainnet,
  );
  expect(marked).toEqual([]);
});

test('a network without a node is not enabled', () => {
  expect(enabledNetworks({ EthereumSepolia: [] })).toEqual([]);
  expect(() => createReaders({})('EthereumSepolia')).toThrow(expect.objectContaining({ code: 'NetworkNotEnabled' }));
  expect(() => createGateways({ EthereumSepolia: LOCAL })('Ethereum')).toThrow(
    expect.objectContaining({ code: 'NetworkNotEnabled' }),
  );
});

test('a node on another chain is refused', async () => {
  const readerOf = createReaders({ EthereumSepolia: LOCAL });
  const answering = (chainId: string) => () => ({ ...readerOf('EthereumSepolia'), chainId: async () => chainId });
  const networks = [networkOf('EthereumSepolia')];
  await expect(assertChainIds(networks, answering('11155111'))).resolves.toBeUndefined();
  await expect(assertChainIds(networks, answering('1'))).rejects.toThrow(/chain id 1 instead of 11155111/);
});

test('no two EVM networks accept each other’s signatures, and twinsOf returns the networks of other families that do', () => {
  expect(NETWORKS_OF.evm.filter((name) => twinsOf(networkOf(name)).length > 0)).toEqual([]);
  const namesOf = (name: NetworkName) => twinsOf(networkOf(name)).map((twin) => twin.name);
  expect(namesOf('Solana')).toEqual(['SolanaDevnet']);
  expect(namesOf('BitcoinCash')).toEqual(['BitcoinCashTestnet']);
  expect(namesOf('Bitcoin').sort()).toEqual(
    NETWORKS_OF.utxo.filter((name) => name !== 'Bitcoin' && !name.startsWith('BitcoinCash')).sort(),
  );
});

test('the digest of a UTXO payment is the same on exactly the networks that twinsOf returns', () => {
  const digestOn = (name: NetworkName) => {
    const { coins, previous, address } = fundedCoins(name, PUBLIC_KEY, undefined, [50_000n]);
    const codec = utxoCodecOf(name);
    const intent = { network: name, from: address, to: address, amountUnits: 20_000n, publicKeyHex: PUBLIC_KEY };
    const { bytesHex } = codec.build(intent, { coins, feeUnits: 500n, changeUnits: 29_500n }, previous);
    const [input] = utxoDecoderOf(name).digestsOf(bytesHex, PUBLIC_KEY);
    return Buffer.from(input?.digest ?? []).toString('hex');
  };
  const digests = new Map(NETWORKS_OF.utxo.map((name) => [name, digestOn(name)]));
  const formOf = (name: NetworkName) => inFamily('utxo', networkOf(name)).forms[0];
  for (const one of NETWORKS_OF.utxo)
    for (const other of NETWORKS_OF.utxo.filter((name) => name !== one && formOf(name) === formOf(one))) {
      const isShared = twinsOf(networkOf(one)).some(({ name }) => name === other);
      expect([one, other, digests.get(one) === digests.get(other)]).toEqual([one, other, isShared]);
    }
});
