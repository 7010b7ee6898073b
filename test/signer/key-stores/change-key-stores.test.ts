import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_STORES_MAX, SOFTWARE_STORE, SOFTWARE_STORE_ID } from '../../../domain/key-stores';
import { createLogger } from '../../../platform/logger';
import { charterBytes } from '../../../signer/charters/charter';
import { charterFolder, OFFERED, OUTCOME, watchCharters } from '../../../signer/charters/charter-folder';
import { KEY_STORE_FILE_BYTES_MAX, type KeyStoreEntry } from '../../../signer/key-stores/key-store-change';
import { sealShare } from '../../../signer/keys/hpke';
import { importInfo } from '../../../signer/keys/key-shares';
import { storeKeysName } from '../../../signer/record/key-store-entries';
import { removeIndexes } from '../../../signer/wire/operator-api';
import { waitUntil } from '../../support/wait-until';
import { takersOf } from '../charters/chartered';
import { keyOrder, NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../fixtures';
import { adding, entryText, headOf, OFFLINE, signedBy } from './storing';

const OTHER_ORG = 'or-00000-00000-0000000000000002';
const operator = generateKeyPairSync('ed25519');
let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
const open = (key = operator.publicKey) => openOperations(folder.path, () => NOW_MS, undefined, undefined, key);
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await open();
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const change = (wanted: unknown, changes: Partial<KeyStoreEntry> = {}) =>
  signer.keyStores.changeKeyStores(signedBy(operator.privateKey, entryText(signer, wanted, changes)));
const vault = {
  storeId: OFFLINE,
  kind: 'OfflineSigner',
  name: 'Vault in the cellar',
  state: 'Active',
  isPrimary: false,
} as const;
async function importOf(keyId: string) {
  const { signerId, encryptionKey } = signer.health();
  const info = importInfo({ orgId: ORG, curve: 'secp256k1', signerId });
  const share = await sealShare(Buffer.from(encryptionKey, 'base64'), info, Buffer.alloc(32, 0x21));
  return { ...keyOrder(keyId), requestId: `krq-${keyId}`, encryptedShare: share.toString('base64') };
}
const stateOf = () => signer.stores.list(ORG);

test('an organisation without an entry has the software store, which is the primary one', () => {
  expect(stateOf()).toEqual([SOFTWARE_STORE]);
  expect(signer.stores.primaryOf(ORG)).toEqual(SOFTWARE_STORE);
  expect(signer.stores.headOf(ORG)).toBeUndefined();
  expect(signer.listKeyStores({})).toEqual({ organizations: [] });
});

test('signed entries add, name, prefer, drain and remove a store, also after a restart and a rebuild of the index', async () => {
  const [first, other] = [entryText(signer, adding()), 'ks-00000-00000-0000000000000002'];
  await expect(signer.keyStores.changeKeyStores(signedBy(operator.privateKey, first))).resolves.toEqual(headOf(first, 1));
  await change({ ...adding(other, 'Spare'), reviewers: 8 });
  await change({ kind: 'SetReviewers', storeId: OFFLINE, reviewers: 2 });
  await change({ kind: 'Name', storeId: OFFLINE, name: 'Käller' });
  await change({ kind: 'MakePrimary', storeId: OFFLINE });
  await change({ kind: 'Drain', storeId: SOFTWARE_STORE_ID });
  const last = await change({ kind: 'Remove', storeId: other });
  const stores = [
    { ...SOFTWARE_STORE, state: 'Draining', isPrimary: false },
    { ...vault, name: 'Käller', isPrimary: true, reviewers: 2 },
    { ...vault, storeId: other, name: 'Spare', state: 'Removed', reviewers: 8 },
  ];
  const { n, digest } = last;
  const holds = () => {
    expect(stateOf()).toEqual(stores);
    expect(signer.stores.primaryOf(ORG).storeId).toBe(OFFLINE);
    expect(signer.stores.find(ORG, other)?.state).toBe('Removed');
    expect(signer.listKeyStores({})).toEqual({ organizations: [{ orgId: ORG, n, digest, stores }] });
    expect(signer.listKeyStores({ after: ORG })).toEqual({ organizations: [] });
    expect(signer.stores.list(OTHER_ORG)).toEqual([SOFTWARE_STORE]);
  };
  expect(n).toBe(7);
  holds();
  await signer.close();
  signer = await open();
  holds();
  await signer.close();
  await removeIndexes(folder.path);
  signer = await open();
  holds();
});

test.each<[string, unknown, Partial<KeyStoreEntry>, string]>([
  ['of another signer', adding(), { signerId: 'sgn-other' }, 'KeyStoreOfAnotherSigner'],
  ['with the number of the last entry', adding('ks-2'), { n: 1, previous: null }, 'KeyStoreNotNext'],
  ['with a gap', adding('ks-2'), { n: 3 }, 'KeyStoreNotNext'],
  ['after another entry', adding('ks-2'), { previous: 'ab'.repeat(32) }, 'KeyStoreNotNext'],
  ['without a previous entry', adding('ks-2'), { previous: null }, 'KeyStoreMalformed'],
  ['of a later form', adding('ks-2'), { v: 2 as 1 }, 'KeyStoreMalformed'],
  ['with an unknown member', adding('ks-2'), { more: 1 } as object, 'KeyStoreMalformed'],
  ['that adds a store of a known id', adding(), {}, 'KeyStoreExists'],
  ['that adds the software store again', adding(SOFTWARE_STORE_ID), {}, 'KeyStoreExists'],
  ['that adds a software store', { ...adding('ks-2'), storeKind: 'Software' }, {}, 'KeyStoreMalformed'],
  ['that adds a store of a kind without a provider', { ...adding('ks-2'), storeKind: 'Hsm' }, {}, 'KeyStoreMalformed'],
  ['with an empty name', adding('ks-2', ''), {}, 'KeyStoreMalformed'],
  ['with a long name', adding('ks-2', 'a'.repeat(65)), {}, 'KeyStoreMalformed'],
  ['with an invisible name', adding('ks-2', 'Vault\u202e'), {}, 'KeyStoreMalformed'],
  ['with a padded name', adding('ks-2', 'Vault '), {}, 'KeyStoreMalformed'],
  ['about an unknown store', { kind: 'Name', storeId: 'ks-2', name: 'x' }, {}, 'KeyStoreUnknown'],
  ['that adds a store without reviewers', { ...adding('ks-2'), reviewers: 0 }, {}, 'KeyStoreMalformed'],
  ['that adds a store with nine reviewers', { ...adding('ks-2'), reviewers: 9 }, {}, 'KeyStoreMalformed'],
  ['that demands no reviewer', { kind: 'SetReviewers', storeId: OFFLINE, reviewers: 0 }, {}, 'KeyStoreMalformed'],
  ['that demands nine reviewers', { kind: 'SetReviewers', storeId: OFFLINE, reviewers: 9 }, {}, 'KeyStoreMalformed'],
  ['that demands one and a half reviewers', { kind: 'SetReviewers', storeId: OFFLINE, reviewers: 1.5 }, {}, 'KeyStoreMalformed'],
  [
    'about the reviewers of the software store',
    { kind: 'SetReviewers', storeId: SOFTWARE_STORE_ID, reviewers: 2 },
    {},
    'KeyStoreUnknown',
  ],
  [
    'about the reviewers of a removed store',
    { kind: 'SetReviewers', storeId: 'ks-removed', reviewers: 2 },
    {},
    'KeyStoreUnknown',
  ],
  ['that drains the primary store', { kind: 'Drain', storeId: SOFTWARE_STORE_ID }, {}, 'KeyStoreIsPrimary'],
  ['that removes the primary store', { kind: 'Remove', storeId: SOFTWARE_STORE_ID }, {}, 'KeyStoreIsPrimary'],
  ['that drains a draining store', { kind: 'Drain', storeId: 'ks-draining' }, {}, 'KeyStoreNotActive'],
  ['that prefers a draining store', { kind: 'MakePrimary', storeId: 'ks-draining' }, {}, 'KeyStoreNotActive'],
  ['that names a removed store', { kind: 'Name', storeId: 'ks-removed', name: 'x' }, {}, 'KeyStoreUnknown'],
  ['that prefers a removed store', { kind: 'MakePrimary', storeId: 'ks-removed' }, {}, 'KeyStoreUnknown'],
  ['that removes a removed store', { kind: 'Remove', storeId: 'ks-removed' }, {}, 'KeyStoreUnknown'],
  ['that adds a removed store', adding('ks-removed'), {}, 'KeyStoreExists'],
  ['about a store of another organisation', { kind: 'Drain', storeId: 'ks-elsewhere' }, {}, 'KeyStoreUnknown'],
])('an entry %s is refused and changes nothing', async (_what, wanted, changes, reason) => {
  await change(adding());
  for (const storeId of ['ks-draining', 'ks-removed']) await change(adding(storeId));
  await change({ kind: 'Drain', storeId: 'ks-draining' });
  await change({ kind: 'Remove', storeId: 'ks-removed' });
  await change(adding('ks-elsewhere'), { organizationId: OTHER_ORG });
  const before = [stateOf(), signer.stores.headOf(ORG)];
  await expect(change(wanted, changes)).rejects.toEqual(refusedAs(reason));
  expect([stateOf(), signer.stores.headOf(ORG)]).toEqual(before);
});

test('an entry needs the signature of the operator’s key over exactly this text, for this purpose', async () => {
  const text = entryText(signer, adding());
  const good = signedBy(operator.privateKey, text);
  const refuse = (given: typeof good) =>
    expect(signer.keyStores.changeKeyStores(given)).rejects.toEqual(refusedAs('KeyStoreNotSigned'));
  await refuse(signedBy(generateKeyPairSync('ed25519').privateKey, text));
  await refuse({ ...good, entry: `${text} ` });
  await refuse({ ...good, signature: '' });
  await refuse({ ...good, signature: sign(null, charterBytes(text), operator.privateKey).toString('base64') });
  await signer.close();
  signer = await openOperations(folder.path);
  await refuse(good);
  expect(stateOf()).toEqual([SOFTWARE_STORE]);
});

test('the last entry may be offered again, and an earlier entry may not', async () => {
  const [first, second] = [entryText(signer, adding()), () => entryText(signer, adding('ks-2'))];
  await signer.keyStores.changeKeyStores(signedBy(operator.privateKey, first));
  await expect(signer.keyStores.changeKeyStores(signedBy(operator.privateKey, first))).resolves.toEqual(headOf(first, 1));
  await signer.keyStores.changeKeyStores(signedBy(operator.privateKey, second()));
  await expect(signer.keyStores.changeKeyStores(signedBy(operator.privateKey, first))).rejects.toEqual(
    refusedAs('KeyStoreNotNext'),
  );
  expect(stateOf()).toHaveLength(3);
});

test('of two entries at once with the same number, one takes effect', async () => {
  const texts = ['ks-1', 'ks-2'].map((storeId) => entryText(signer, adding(storeId)));
  const ends = await Promise.allSettled(
    texts.map((text) => signer.keyStores.changeKeyStores(signedBy(operator.privateKey, text))),
  );
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(stateOf().map(({ storeId }) => storeId)).toEqual([SOFTWARE_STORE_ID, 'ks-1']);
});

test('a store with keys on record can be drained, and cannot be removed', async () => {
  await signer.createKey(keyOrder('key-1'));
  await change(adding());
  await change(adding('ks-2'));
  await change({ kind: 'MakePrimary', storeId: OFFLINE });
  await expect(change({ kind: 'Remove', storeId: SOFTWARE_STORE_ID })).rejects.toEqual(refusedAs('KeyStoreHasKeys'));
  signer.journal.index.put(storeKeysName(ORG, 'ks-2'), true);
  await expect(change({ kind: 'Remove', storeId: 'ks-2' })).rejects.toEqual(refusedAs('KeyStoreHasKeys'));
  await change({ kind: 'Drain', storeId: SOFTWARE_STORE_ID });
  await change({ kind: 'Drain', storeId: 'ks-2' });
});

test('an unused software store can be removed once another store is the primary one', async () => {
  await change(adding());
  await change({ kind: 'MakePrimary', storeId: OFFLINE });
  await change({ kind: 'Remove', storeId: SOFTWARE_STORE_ID });
  await expect(signer.createKey(keyOrder('key-1'))).rejects.toEqual(refusedAs('KeyStoreNotActive'));
  await expect(signer.createKey(keyOrder('key-2', OTHER_ORG))).resolves.toMatchObject({ sealed: { keyId: 'key-2' } });
});

test('a draining software store makes no key of any origin, and returns a key that it made before', async () => {
  const master = await signer.createKey(keyOrder('key-1'));
  await change(adding());
  await change({ kind: 'MakePrimary', storeId: OFFLINE });
  await signer.createKey(keyOrder('key-2'));
  await change({ kind: 'Drain', storeId: SOFTWARE_STORE_ID });
  const refused = refusedAs('KeyStoreNotActive');
  await expect(signer.createKey(keyOrder('key-3'))).rejects.toEqual(refused);
  const parent = { keyId: 'key-1', path: 'm/0', sealed: master.sealed, dek: master.dek };
  await expect(signer.createKey({ ...keyOrder('key-4'), parent })).rejects.toEqual(refused);
  await expect(signer.importKey(await importOf('key-5'))).rejects.toEqual(refused);
  await expect(signer.createKey(keyOrder('key-1'))).resolves.toEqual(master);
});

test('the signer has room for exactly the most stores', async () => {
  for (let at = 1; at < KEY_STORES_MAX; at += 1) await change(adding(`ks-${at}`));
  await expect(change(adding('ks-more'))).rejects.toEqual(refusedAs('KeyStoresTooMany'));
  expect(stateOf()).toHaveLength(KEY_STORES_MAX);
});

test('an entry in a file of the state folder takes effect, and the reason is reported for each refused file', async () => {
  const directory = charterFolder(folder.path);
  mkdirSync(directory);
  const good = signedBy(operator.privateKey, entryText(signer, adding()));
  const offers: Readonly<Record<string, readonly [content: string, outcome: string]>> = {
    'empty.key-store': ['', 'KeyStoreMalformed'],
    'text.key-store': [JSON.stringify({ ...good, entry: '{}' }), 'KeyStoreMalformed'],
    'more.key-store': [JSON.stringify({ ...good, extra: 1 }), 'KeyStoreMalformed'],
    'long.key-store': [JSON.stringify(good).padEnd(KEY_STORE_FILE_BYTES_MAX + 1), 'KeyStoreMalformed'],
    named: [JSON.stringify(good), 'CharterMalformed'],
    'forged.key-store': [JSON.stringify({ ...good, signature: 'AAAA' }), 'KeyStoreNotSigned'],
    'good.key-store': [JSON.stringify(good).padEnd(KEY_STORE_FILE_BYTES_MAX), 'Adopted'],
  };
  for (const [name, [content]] of Object.entries(offers)) writeFileSync(join(directory, `${name}${OFFERED}`), content);
  const watch = watchCharters(folder.path, takersOf(signer), createLogger('signer', 'silent'));
  const pathOf = (name: string) => join(directory, `${name}${OUTCOME}`);
  await waitUntil('the outcomes', () => Object.keys(offers).every((name) => existsSync(pathOf(name))));
  await watch.close();
  for (const [name, [, outcome]] of Object.entries(offers))
    expect([name, readFileSync(pathOf(name), 'utf8')]).toEqual([name, outcome]);
  expect(signer.stores.find(ORG, OFFLINE)).toEqual(vault);
});
