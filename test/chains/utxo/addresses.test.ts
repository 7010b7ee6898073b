import { utxoCodecOf } from '../../../chains/codecs';
import type { NetworkName } from '../../../domain/networks';

/** The compressed public key of the secret 32 × 0x01. */
const COMPRESSED = '031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f';

test.each([
  // These are the first receiving addresses of account 0 in BIP84, BIP86 and BIP49.
  [
    'Bitcoin',
    '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
    'P2WPKH',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'Bitcoin',
    'cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
    'P2TR',
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  ],
  [
    'BitcoinTestnet4',
    '03a1af804ac108a8a51782198c2d034b28bf90c8803f5a53f76276fa69a4eae77f',
    'P2SH-P2WPKH',
    '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2',
  ],
] as const)('%s: the published address of the key %s in the form %s', (network, publicKey, form, address) => {
  expect(utxoCodecOf(network).addressOf(publicKey, form)).toBe(address);
});

const FIRST: readonly (readonly [NetworkName, string])[] = [
  ['Bitcoin', 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw'],
  ['BitcoinSignet', 'tb1q0xcqpzrky6eff2g52qdye53xkk9jxkvraulyla'],
  ['Litecoin', 'ltc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrnx7nu7'],
  ['Dogecoin', 'DGEX9JsfNuCCA3ovxAmUSM1GCea1BpY4Et'],
  ['BitcoinCash', 'bitcoincash:qpumqqygwcnt999fz3gp5nxjy66ckg6esvls5sszem'],
];
test.each(FIRST)('%s: a new wallet of an ECDSA key has the expected address', (network, address) => {
  const codec = utxoCodecOf(network);
  expect(codec.addressOf(COMPRESSED)).toBe(address);
  expect(codec.parseAddress(address)).toBe(address);
});

test('a Schnorr key has a Taproot address if the network supports Taproot', () => {
  const x = COMPRESSED.slice(2);
  expect(utxoCodecOf('Bitcoin').addressOf(x)).toBe('bc1p33wm0auhr9kkahzd6l0kqj85af4cswn276hsxg6zpz85xe2r0y8syx4e5t');
  expect(() => utxoCodecOf('Dogecoin').addressOf(x)).toThrow(expect.objectContaining({ code: 'AssetNotSupported' }));
});

// The addresses come from spec/cashaddr.md of Bitcoin Cash, "Examples of address translation".
test.each([
  ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', '76a04053bda0a88bda5177b86a15c3b29f559873', 'pkh'],
  ['bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy', 'cb481232299cd5743151ac4b2d63ae198e7bb0a9', 'pkh'],
  ['bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', '76a04053bda0a88bda5177b86a15c3b29f559873', 'sh'],
  ['bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37', '011f28e473c95f4013d7d53ec5fbc3b42df8ed10', 'sh'],
])('BitcoinCash: %s has the published script', (address, hash, type) => {
  const codec = utxoCodecOf('BitcoinCash');
  expect(codec.scriptOf(address)).toBe(type === 'pkh' ? `76a914${hash}88ac` : `a914${hash}87`);
  expect(codec.parseAddress(address.split(':')[1] ?? '')).toBe(address);
  expect(codec.parseAddress(address.toUpperCase())).toBe(address);
});

test.each<[NetworkName, string, string]>([
  ['Bitcoin', 'a wrong checksum', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv'],
  ['Bitcoin', 'a test address', 'tb1q0xcqpzrky6eff2g52qdye53xkk9jxkvraulyla'],
  ['Bitcoin', 'a Litecoin address', 'LWKNsGErA9XxsrKVPimDAbuRXjCyyazZtc'],
  ['Bitcoin', 'an unassigned witness version (BIP350)', 'bc1sw50qgdz25j'],
  ['Bitcoin', 'mixed case', 'bc1Qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['Dogecoin', 'a witness address', 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw'],
  ['BitcoinCash', 'an address in Bitcoin’s format', '1C6Rc3w25VHud3dLDamutaqfKWqhrLRTaD'],
  ['BitcoinCash', 'an address of the test network', 'bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap'],
  ['BitcoinCash', 'a wrong checksum', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q'],
  ['BitcoinCash', 'an address for tokens', 'bitcoincash:zpm2qsznhks23z7629mms6s4cwef74vcwvrqekrq9w'],
  ['Litecoin', 'an empty text', ''],
])('%s: %s is not an address', (network, _, text) => {
  expect(() => utxoCodecOf(network).parseAddress(text)).toThrow(expect.objectContaining({ code: 'InvalidAddress' }));
});
