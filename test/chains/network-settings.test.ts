/** @own-modules: this file sets the records of networks. */
import { applySettings, encryptionAccessIn, NetworkSettingsText, rpcOptionsOf } from '../../chains/network-settings';
import { findNetwork, networkOf } from '../../chains/networks';

const NODES = { ArbitrumSepolia: ['http://127.0.0.1:9', 'http://127.0.0.1:10'] };
const CUSD = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
const ENCRYPTED = { confidentialAmounts: { url: 'https://encrypts.example/', apiKey: 'key' } };
const encryptedBy = (set: object) => ({ ArbitrumSepolia: { confidentialAmounts: { ...ENCRYPTED.confidentialAmounts, ...set } } });
const faultOf = (settings: unknown) => NetworkSettingsText.safeParse(JSON.stringify(settings)).error?.issues[0]?.message;

test.each<[string, unknown, RegExp]>([
  ['an unknown network', { Nowhere: {} }, /no network Nowhere that can be served/],
  ['a network without code', { Tsc: {} }, /no network Tsc that can be served/],
  ['an unknown member', { ArbitrumSepolia: { quorum: 2 } }, /quorum/],
  ['a quorum of zero', { ArbitrumSepolia: { readQuorum: 0 } }, />=1/],
  ['more confirmations than blocks are kept', { ArbitrumSepolia: { confirmations: 301 } }, /<=300/],
  [
    'a fee ceiling above that of the signer',
    { ArbitrumSepolia: { feeCeiling: '100000000000000001' } },
    /the most that the signer ever signs/,
  ],
  ['a fee ceiling that is not in smallest units', { ArbitrumSepolia: { feeCeiling: '0.1' } }, /smallest units/],
  ['a currency that is not listed', { CeloAlfajores: { feeCurrency: CUSD.toLowerCase() } }, /must be one of: 0x874069/],
  ['a fee currency on a network without one', { ArbitrumSepolia: { feeCurrency: CUSD } }, /none on this network/],
  [
    'an encryption service without https',
    encryptedBy({ url: 'http://encrypts.example' }),
    /must be https, or an address of this machine/,
  ],
  ['an encryption service with a password in its URL', encryptedBy({ url: 'https://a:b@encrypts.example' }), /must be https/],
  ['an encryption service that is not a URL', encryptedBy({ url: 'encrypts' }), /URL/],
  ['an encryption service without credentials', encryptedBy({ apiKey: '' }), />=1/],
  [
    'an encryption service on a network without confidential tokens',
    { BitcoinSignet: ENCRYPTED },
    /for the tokens of EVM networks/,
  ],
  [
    'percentiles that decrease',
    { ArbitrumSepolia: { priorityPercentiles: { Slow: 50, Standard: 10, Fast: 90 } } },
    /must rise from Slow to Fast/,
  ],
])('%s is refused', (_what, settings, message) => {
  expect(faultOf(settings)).toMatch(message);
});

test('the process does not start if a quorum is above the number of nodes', () => {
  expect(() => applySettings(NODES, { ArbitrumSepolia: { readQuorum: 3 } })).toThrow(
    /ArbitrumSepolia has 2 nodes, and readQuorum is 3/,
  );
  const twice = { ArbitrumSepolia: ['http://127.0.0.1:9', 'http://127.0.0.1:9'] };
  expect(() => applySettings(twice, { ArbitrumSepolia: { readQuorum: 2 } })).toThrow(/has 1 nodes/);
});

test('a setting changes only the record of its network', () => {
  const settings = NetworkSettingsText.parse(
    '{"ArbitrumSepolia":{"readQuorum":2,"requestsPerSecond":5,"confirmations":7,"feeCeiling":"1000"}}',
  );
  const before = networkOf('BaseSepolia');
  applySettings(NODES, settings);
  expect(networkOf('ArbitrumSepolia')).toMatchObject({ confirmations: 7, feeCeilingUnits: 1000n, chainId: 421_614 });
  expect(findNetwork('ArbitrumSepolia')?.confirmations).toBe(7);
  expect(networkOf('BaseSepolia')).toBe(before);
  applySettings({}, NetworkSettingsText.parse(JSON.stringify({ CeloAlfajores: { feeCurrency: CUSD } })));
  expect(networkOf('CeloAlfajores')).toMatchObject({ feeCurrency: CUSD });
  const identity = { method: 'eth_chainId', params: [], expected: '0x66eee' };
  const isOfQuestion = expect.any(Function);
  expect(rpcOptionsOf(networkOf('ArbitrumSepolia'), settings)).toEqual({
    readQuorum: 2,
    requestsPerSecond: 5,
    identity,
    isOfQuestion,
  });
  expect(rpcOptionsOf(before, settings)).toEqual({
    identity: { ...identity, expected: '0x14a34' },
    isOfQuestion,
  });
});

test('a record states whether amounts can be encrypted, and does not contain the service or its credentials', () => {
  const settings = NetworkSettingsText.parse(JSON.stringify({ ArbitrumSepolia: ENCRYPTED }));
  applySettings({}, settings);
  expect(networkOf('ArbitrumSepolia')).toMatchObject({ hasConfidentialAmounts: true });
  expect(JSON.stringify(networkOf('ArbitrumSepolia'), (_name, value) => (typeof value === 'bigint' ? '' : value))).not.toContain(
    'encrypts.example',
  );
  const accessOf = encryptionAccessIn(settings);
  expect(accessOf('ArbitrumSepolia')).toEqual({ baseUrl: 'https://encrypts.example', apiKey: 'key' });
  expect(accessOf('BaseSepolia')).toBeUndefined();
});
