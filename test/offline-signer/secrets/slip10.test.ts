import { HDKey } from '@scure/bip32';
import { fleetKeyPath } from '../../../domain/fleets';
import { deriveHardened, fleetSecret } from '../../../offline-signer/secrets/slip10';

/** The test vectors of SLIP-10 that have hardened levels only. */
const ED25519_1 = [
  [[], '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7'],
  [[0], '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
  [[0, 1], 'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2'],
  [[0, 1, 2], '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9'],
  [[0, 1, 2, 2], '30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662'],
  [[0, 1, 2, 2, 1_000_000_000], '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793'],
] as const;
const SEED_1 = '000102030405060708090a0b0c0d0e0f';
const SECP256K1 = [
  [SEED_1, [], 'e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35'],
  [SEED_1, [0], 'edb2e14f9ee77d26dd93b4ecede8d16ed408ce149b6cd80b0715a2d911a0afea'],
  [
    '3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678',
    [0],
    '00d948e9261e41362a688b916f297121ba6bfb2274a3575ac0e456551dfd7f7e',
  ],
  [
    '3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678',
    [0, 1],
    '3a2086edd7d9df86c3487a5905a1712a9aa664bce8cc268141e07549eaa8661d',
  ],
] as const;

const seedOf = (hex: string) => Buffer.from(hex, 'hex');

test.each(ED25519_1)('Ed25519 keys at the levels %j are those of SLIP-10', (levels, key) => {
  expect(deriveHardened('ed25519', seedOf(SEED_1), levels).toString('hex')).toBe(key);
});

test.each(SECP256K1)('secp256k1 keys of the seed %s at the levels %j are those of SLIP-10', (seed, levels, key) => {
  expect(deriveHardened('secp256k1', seedOf(seed), levels).toString('hex')).toBe(key);
});

test('keys of a fleet are those that another program derives from the master secret and the path', () => {
  const master = Buffer.alloc(32, 7);
  for (const index of [0, 1, 255, 2 ** 31 - 1]) {
    const other = HDKey.fromMasterSeed(new Uint8Array(master)).derive(fleetKeyPath('secp256k1', index)).privateKey;
    expect(fleetSecret(master, 'secp256k1', index)).toEqual(Buffer.from(other as Uint8Array));
  }
  expect(fleetSecret(master, 'ed25519', 0)).not.toEqual(fleetSecret(master, 'ed25519', 1));
  expect(() => fleetSecret(master, 'ed25519', 2 ** 31)).toThrow('out of range');
  expect(() => fleetSecret(master, 'ed25519', -1)).toThrow('out of range');
});
