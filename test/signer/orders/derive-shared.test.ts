import { secp256k1 } from '@noble/curves/secp256k1.js';
import { openDek, openKey } from '../../../signer/keys/envelope';
import { pointOf } from '../../../signer/orders/derive-shared';
import type { CreatedKey, DeriveSharedOrder } from '../../../signer/protocol';
import { keyOrder, NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../fixtures';

const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
let created: CreatedKey;
let nowMs = NOW_MS;
beforeAll(async () => {
  operations = await openOperations(folder.path, () => nowMs);
  created = await operations.createKey({ orgId: ORG, keyId: 'key-dh', scheme: 'DH', curve: 'secp256k1' });
});
beforeEach(() => {
  nowMs = NOW_MS;
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

const asHex = (text: string) => `0x${Buffer.from(text).toString('hex')}`;
const order = (changes: Partial<DeriveSharedOrder> = {}): DeriveSharedOrder => ({
  requestId: 'drv-1',
  orgId: ORG,
  keyId: 'key-dh',
  domainHex: asHex('a domain of the caller'),
  seedHex: asHex('a seed'),
  sealed: created.sealed,
  dek: created.dek,
  issuedAt: new Date(NOW_MS).toISOString(),
  notAfter: new Date(NOW_MS + 60_000).toISOString(),
  ...changes,
});

/** RFC 9380, appendix J.8.1: message, then x and y of the point. */
const TAG = 'QUUX-V01-CS02-with-secp256k1_XMD:SHA-256_SSWU_RO_';
test.each([
  [
    '',
    'c1cae290e291aee617ebaef1be6d73861479c48b841eaba9b7b5852ddfeb1346',
    '64fa678e07ae116126f08b022a94af6de15985c996c3a91b64c406a960e51067',
  ],
  [
    'abc',
    '3377e01eab42db296b512293120c6cee72b6ecf9f9205760bd9ff11fb3cb2c4b',
    '7f95890f33efebd1044d382a01b1bee0900fb6116f94688d487c6c7b9c8371f6',
  ],
  [
    'abcdef0123456789',
    'bac54083f293f1fe08e4a70137260aa90783a5cb84d3f35848b324d0674b0e3a',
    '4436476085d4c3c4508b60fcf4389c40176adce756b398bdee27bca19758d828',
  ],
])('RFC 9380, secp256k1_XMD:SHA-256_SSWU_RO_: %p', (message, x, y) => {
  const point = pointOf(Buffer.from(message), Buffer.from(TAG)).toAffine();
  expect([point.x, point.y]).toEqual([BigInt(`0x${x}`), BigInt(`0x${y}`)]);
});

test('the output is the secret times the point of the seed, compressed', async () => {
  const dek = await openDek(operations.kek, created.dek, ORG);
  const secret = openKey(dek, created.sealed, { orgId: ORG, keyId: 'key-dh' });
  const { outputHex } = await operations.deriveShared(order({ domainHex: asHex(TAG), seedHex: asHex('abc') }));
  const point = secp256k1.Point.fromAffine({
    x: 0x3377e01eab42db296b512293120c6cee72b6ecf9f9205760bd9ff11fb3cb2c4bn,
    y: 0x7f95890f33efebd1044d382a01b1bee0900fb6116f94688d487c6c7b9c8371f6n,
  });
  // The library's own Diffie-Hellman function gives the same point.
  const shared = secp256k1.getSharedSecret(secret, point.toBytes(true), true);
  expect(outputHex).toBe(`0x${Buffer.from(shared).toString('hex')}`);
});

test('the output is always the same for one key, domain and seed, and differs for all other values', async () => {
  const first = await operations.deriveShared(order());
  expect(await operations.deriveShared(order({ requestId: 'drv-2' }))).toEqual(first);
  const other = await operations.createKey({ orgId: ORG, keyId: 'key-dh-2', scheme: 'DH', curve: 'secp256k1' });
  const outputs = await Promise.all([
    operations.deriveShared(order({ domainHex: asHex('another domain') })),
    operations.deriveShared(order({ seedHex: asHex('another seed') })),
    operations.deriveShared(order({ keyId: 'key-dh-2', sealed: other.sealed, dek: other.dek })),
  ]);
  expect(new Set([first, ...outputs].map(({ outputHex }) => outputHex)).size).toBe(4);
});

test.each<[string, string, () => Promise<DeriveSharedOrder> | DeriveSharedOrder]>([
  ['an order that is too old', 'ClockDrift', () => order({ issuedAt: '2020-01-01T00:00:00.000Z' })],
  ['the key of another organisation', 'KeyRowMismatch', () => order({ orgId: 'or-other' })],
  ['the row of another key', 'KeyRowMismatch', () => order({ keyId: 'key-other' })],
  [
    'a key that signs',
    'PayloadNotSupported',
    async () => {
      const { sealed, dek } = await operations.createKey(keyOrder('key-ecdsa'));
      return order({ keyId: 'key-ecdsa', sealed, dek });
    },
  ],
  [
    'a signing key that is labelled a Diffie-Hellman key',
    'EnvelopeRejected',
    async () => {
      const { sealed, dek } = await operations.createKey(keyOrder('key-ecdsa'));
      return order({ keyId: 'key-ecdsa', sealed: { ...sealed, scheme: 'DH' }, dek });
    },
  ],
])('%s: %s', async (_what, reason, make) => {
  await expect(operations.deriveShared(await make())).rejects.toThrow(refusedAs(reason));
});
