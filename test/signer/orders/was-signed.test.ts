import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WasSignedOrder } from '../../../signer/orders/was-signed';
import { FREEZE_FILE } from '../../../signer/record/frozen-file';
import { NOW_MS, ORG, openOperations, payloadOrderFor, refusedAs, temporaryFolder } from '../fixtures';

const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
beforeAll(async () => {
  operations = await openOperations(folder.path, () => NOW_MS);
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

const word = (digit: string) => `0x${digit.repeat(64)}`;

test.each([
  ['ECDSA', 'secp256k1'],
  ['EdDSA', 'ed25519'],
  ['Schnorr', 'secp256k1'],
] as const)(
  'the signer distinguishes its own %s signatures on %s from other signatures, whichever organisation sends the query',
  async (scheme, curve) => {
    const key = await operations.createKey({ orgId: ORG, keyId: `key-${scheme}`, scheme, curve });
    const digestHex = word('7');
    const payload =
      scheme === 'EdDSA' ? { kind: 'Message' as const, messageHex: '0x6869' } : { kind: 'Hash' as const, digestHex };
    const { signatures } = await operations.signPayload(payloadOrderFor(key, `sig-${scheme}`, payload));
    const [{ r = '', s = '' } = {}] = signatures;
    const asked = [
      { r: word('1'), s },
      { r, s },
      { r, s: word('1') },
    ];
    expect(await operations.wasSigned({ orgId: 'or-other', signatures: asked })).toEqual({ wereSigned: [false, true, false] });
  },
);

test('a query about no signature or more than 500 signatures is malformed', () => {
  const asking = (count: number) =>
    WasSignedOrder.safeParse({ orgId: ORG, signatures: Array(count).fill({ r: word('1'), s: word('2') }) }).success;
  expect([0, 1, 500, 501].map(asking)).toEqual([false, true, true, false]);
});

test('a frozen signer confirms its own signatures, and refuses a query that includes any other signature', async () => {
  const key = await operations.createKey({ orgId: ORG, keyId: 'key-frozen', scheme: 'ECDSA', curve: 'secp256k1' });
  const payload = { kind: 'Hash' as const, digestHex: word('8') };
  const { signatures } = await operations.signPayload(payloadOrderFor(key, 'sig-frozen', payload));
  const [{ r = '', s = '' } = {}] = signatures;
  writeFileSync(join(folder.path, FREEZE_FILE), '');
  const ask = (...asked: readonly { readonly r: string; readonly s: string }[]) =>
    operations.wasSigned({ orgId: ORG, signatures: [...asked] });
  expect(await ask({ r, s })).toEqual({ wereSigned: [true] });
  await expect(ask({ r, s }, { r: word('1'), s })).rejects.toThrow(refusedAs('Frozen'));
});
