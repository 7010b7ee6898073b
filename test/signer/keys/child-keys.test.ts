import { createHmac } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { parseDerivationPath } from '../../../domain/derivation-paths';
import { chainCodeOf, deriveNode, type KeyNode } from '../../../signer/keys/child-keys';

const seeds = [
  '000102030405060708090a0b0c0d0e0f',
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
] as const;

/** The master node of a seed. The two standards differ only in the name under which they hash the seed. */
function masterOf(seed: string, name: 'Bitcoin seed' | 'ed25519 seed'): KeyNode {
  const out = createHmac('sha512', name).update(Buffer.from(seed, 'hex')).digest();
  return { secret: out.subarray(0, 32), chainCode: out.subarray(32) };
}

const levelsOf = (path: string) => {
  const levels = parseDerivationPath(path);
  if (!levels) throw new Error(`${path} is not a path`);
  return levels;
};

/** Test vectors 1 and 2 of BIP32. */
const BIP32 = [
  [
    seeds[0],
    "m/0'",
    'xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYUhd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7',
  ],
  [
    seeds[0],
    "m/0'/1",
    'xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs',
  ],
  [
    seeds[0],
    "m/0'/1/2'",
    'xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM',
  ],
  [
    seeds[0],
    "m/0'/1/2'/2",
    'xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTtdrbdqqsunu5Mm3wDvUAKRHSC34sJ7in334',
  ],
  [
    seeds[0],
    "m/0'/1/2'/2/1000000000",
    'xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76',
  ],
  [
    seeds[1],
    'm/0',
    'xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkrocEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt',
  ],
  [
    seeds[1],
    "m/0/2147483647'",
    'xprv9wSp6B7kry3Vj9m1zSnLvN3xH8RdsPP1Mh7fAaR7aRLcQMKTR2vidYEeEg2mUCTAwCd6vnxVrcjfy2kRgVsFawNzmjuHc2YmYRmagcEPdU9',
  ],
  [
    seeds[1],
    "m/0/2147483647'/1",
    'xprv9zFnWC6h2cLgpmSA46vutJzBcfJ8yaJGg8cX1e5StJh45BBciYTRXSd25UEPVuesF9yog62tGAQtHjXajPPdbRCHuWS6T8XA2ECKADdw4Ef',
  ],
  [
    seeds[1],
    "m/0/2147483647'/1/2147483646'",
    'xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc',
  ],
  [
    seeds[1],
    "m/0/2147483647'/1/2147483646'/2",
    'xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j',
  ],
] as const;

test.each(BIP32)('BIP32: seed %s, path %s', (seed, path, extended) => {
  const node = deriveNode(masterOf(seed, 'Bitcoin seed'), 'secp256k1', levelsOf(path));
  const expected = HDKey.fromExtendedKey(extended);
  expect(node.secret.toString('hex')).toBe(Buffer.from(expected.privateKey ?? []).toString('hex'));
  expect(node.chainCode.toString('hex')).toBe(Buffer.from(expected.chainCode ?? []).toString('hex'));
});

/** SLIP-0010, "Test vector 1 for ed25519" and "Test vector 2 for ed25519": chain code, then secret. */
const SLIP10 = [
  [
    seeds[0],
    "m/0'",
    '8b59aa11380b624e81507a27fedda59fea6d0b779a778918a2fd3590e16e9c69',
    '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
  ],
  [
    seeds[0],
    "m/0'/1'",
    'a320425f77d1b5c2505a6b1b27382b37368ee640e3557c315416801243552f14',
    'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2',
  ],
  [
    seeds[0],
    "m/0'/1'/2'",
    '2e69929e00b5ab250f49c3fb1c12f252de4fed2c1db88387094a0f8c4c9ccd6c',
    '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9',
  ],
  [
    seeds[0],
    "m/0'/1'/2'/2'",
    '8f6d87f93d750e0efccda017d662a1b31a266e4a6f5993b15f5c1f07f74dd5cc',
    '30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662',
  ],
  [
    seeds[0],
    "m/0'/1'/2'/2'/1000000000'",
    '68789923a0cac2cd5a29172a475fe9e0fb14cd6adb5ad98a3fa70333e7afa230',
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
  ],
  [
    seeds[1],
    "m/0'",
    '0b78a3226f915c082bf118f83618a618ab6dec793752624cbeb622acb562862d',
    '1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635',
  ],
  [
    seeds[1],
    "m/0'/2147483647'",
    '138f0b2551bcafeca6ff2aa88ba8ed0ed8de070841f0c4ef0165df8181eaad7f',
    'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4',
  ],
  [
    seeds[1],
    "m/0'/2147483647'/1'",
    '73bd9fff1cfbde33a1b846c27085f711c0fe2d66fd32e139d3ebc28e5a4a6b90',
    '3757c7577170179c7868353ada796c839135b3d30554bbb74a4b1e4a5a58505c',
  ],
  [
    seeds[1],
    "m/0'/2147483647'/1'/2147483646'",
    '0902fe8a29f9140480a00ef244bd183e8a13288e4412d8389d140aac1794825a',
    '5837736c89570de861ebc173b1086da4f505d4adb387c6a1b1342d5e4ac9ec72',
  ],
  [
    seeds[1],
    "m/0'/2147483647'/1'/2147483646'/2'",
    '5d70af781f3a37b829f0d060924d5e960bdc02e85423494afc0b1a41bbe196d4',
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
  ],
] as const;

test.each(SLIP10)('SLIP-0010: seed %s, path %s', (seed, path, chainCode, secret) => {
  const node = deriveNode(masterOf(seed, 'ed25519 seed'), 'ed25519', levelsOf(path));
  expect(node.chainCode.toString('hex')).toBe(chainCode);
  expect(node.secret.toString('hex')).toBe(secret);
});

test('on ed25519 only hardened children are derived', () => {
  expect(() => deriveNode(masterOf(seeds[0], 'ed25519 seed'), 'ed25519', levelsOf("m/0'/1"))).toThrow('hardened children only');
});

test('a derivation leaves the first node unchanged', () => {
  const first = masterOf(seeds[0], 'Bitcoin seed');
  const before = first.secret.toString('hex');
  deriveNode(first, 'secp256k1', levelsOf("m/0'/1/2'"));
  expect(first.secret.toString('hex')).toBe(before);
});

test('the chain code of a master key follows from its secret by the published rule', () => {
  const secret = Buffer.alloc(32, 7);
  const expected = createHmac('sha256', Buffer.from('strongroom/chain-code/v1', 'ascii')).update(secret).digest('hex');
  expect(chainCodeOf(secret).toString('hex')).toBe(expected);
});
