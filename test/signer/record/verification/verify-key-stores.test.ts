import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { keyStoreDigest } from '../../../../signer/key-stores/key-store-change';
import type { KeyStoreChangedEntry } from '../../../../signer/record/key-store-entries';
import { verifyFolder } from '../../../../signer/record/verification/verify-folder';
import { kekOf, NOW_MS, ORG, openOperations, temporaryFolder } from '../../fixtures';
import { adding, entryText, signedBy } from '../../key-stores/storing';

const operator = generateKeyPairSync('ed25519');
const work = temporaryFolder();
afterAll(work.remove);
let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path, () => NOW_MS, undefined, undefined, operator.publicKey);
  await signer.keyStores.changeKeyStores(signedBy(operator.privateKey, entryText(signer, adding())));
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const faults = async (operatorKey?: KeyObject) =>
  (await verifyFolder({ stateDir: folder.path, kek: kekOf(7), operatorKey, workDir: work.path })).faults.map(
    ({ fault }) => fault,
  );
/** Puts an entry into the journal without the signer's checks. Only someone with the journal's key could do so. */
async function record(text: string, changes: Partial<KeyStoreChangedEntry> = {}, key = operator.privateKey): Promise<void> {
  const entry = { ...signedBy(key, text), n: 2, digest: keyStoreDigest(text), dateRecorded: new Date(NOW_MS).toISOString() };
  await signer.journal.append({ kind: 'KeyStoreChanged', orgId: ORG, ...entry, ...changes });
}
const about = (fault: string) => `the entry about the key stores of ${ORG} ${fault}`;
const next = () => entryText(signer, adding('ks-2'));

test('entries that follow each other verify with the signature of the last one', async () => {
  expect(await faults(operator.publicKey)).toEqual([]);
  const other = generateKeyPairSync('ed25519');
  await record(next(), {}, other.privateKey);
  expect(await faults(other.publicKey)).toEqual([]);
  expect(await faults()).toEqual([]);
  expect(await faults(operator.publicKey)).toEqual([expect.stringContaining('is not signed with SIGNER_OPERATOR_KEY')]);
});

test.each<[string, () => string, Partial<KeyStoreChangedEntry>, string]>([
  ['another number', next, { n: 3 }, 'is not of the organisation or the number under which it was recorded'],
  [
    'another entry before it',
    () => entryText(signer, adding('ks-2'), { previous: 'ab'.repeat(32) }),
    {},
    'does not follow the entry before it',
  ],
  ['another digest', next, { digest: 'ab'.repeat(32) }, 'does not have the digest under which it was recorded'],
  ['another signer', () => entryText(signer, adding('ks-2'), { signerId: 'sgn-other' }), {}, 'was signed for another signer'],
])('an entry with %s is a fault', async (_what, text, changes, fault) => {
  await record(text(), changes);
  expect(await faults(operator.publicKey)).toContain(about(fault));
});
