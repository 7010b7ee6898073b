import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { KEY_STORE_COMMANDS } from '../../operator/key-store-commands';
import { type CharterPlace, createCharterPlace } from './charters/charter-place';

jest.setTimeout(60_000);

const org = 'or-00000-00000-0000000000000001';
let place: CharterPlace;
let signer: Awaited<ReturnType<CharterPlace['startSigner']>>;
let key: string;
beforeEach(async () => {
  place = createCharterPlace('postgres://nowhere');
  await place.makeKey();
  key = place.path('operator.pem');
  signer = await place.startSigner();
});
afterEach(async () => {
  await signer?.stop();
  place?.close();
});

const run = async <N extends keyof typeof KEY_STORE_COMMANDS>(name: N, given: object): Promise<string> => {
  const { options, run: work } = KEY_STORE_COMMANDS[name];
  return (await work(options.parse(given) as never)).join('\n');
};
const idIn = (text: string): string => /\b(ks-[0-9a-z-]{28})\b/.exec(text)?.[1] ?? '';
const listed = () => run('key-store list', { org });

test('one command prints an entry in words, and signs and submits it only with the key', async () => {
  const before = await run('key-store add', { org, name: 'Vault' });
  expect(before).toContain('ADDS the offline store ks-');
  expect(before).toContain('Nothing is signed yet');
  expect(await listed()).not.toContain('Vault');
  const added = await run('key-store add', { org, name: 'Vault', key });
  const store = idIn(added);
  expect(added).toMatch(/^Number {8}1, the first entry$/m);
  expect(added).toContain('The signer has RECORDED the entry');
  expect(await listed()).toContain(`${store}  offline store   makes keys  Vault`);
  expect(await run('key-store name', { org, store, name: 'Cellar', key })).toContain(`NAMES the store ${store} "Vault" "Cellar"`);
  const primary = await run('key-store primary', { org, store, key });
  expect(primary).toContain(`NEW KEYS COME FROM the store ${store} "Cellar"`);
  expect(primary).toContain('They no longer come from the store software "Software".');
  const drained = await run('key-store drain', { org, store: 'software', key });
  expect(drained).toContain('CANNOT BE UNDONE');
  expect(drained).toMatch(/^ {2}software +software store +MAKES NO NEW KEYS {2}Software$/m);
  expect(await run('key-store list', {})).toMatch(new RegExp(`^${org} {2}entry 4 {2}[0-9a-f]{64}$`, 'm'));
});

test('the entry says how many people must approve each ceremony, and whether they become fewer', async () => {
  const added = await run('key-store add', { org, name: 'Vault', reviewers: '3', key });
  expect(added).toContain('Each ceremony: 3 different people must approve.');
  const store = idIn(added);
  expect(await listed()).toContain(`${store}  offline store   makes keys, 3 reviewers  Vault`);
  const lowered = await run('key-store reviewers', { org, store, reviewers: '2', key });
  expect(lowered).toContain(`SETS THE REVIEWERS of the store ${store} "Vault". Each ceremony: 2 different people must approve`);
  expect(lowered).toContain('FEWER THAN BEFORE: 3 different people must approve.');
  const raised = await run('key-store reviewers', { org, store, reviewers: '8' });
  expect(raised).toContain('Before: 2 different people must approve.');
  expect(await listed()).toContain('2 reviewers');
  for (const reviewers of ['0', '9', '1.5', 'two'])
    await expect(run('key-store reviewers', { org, store, reviewers, key })).rejects.toThrow();
  await expect(run('key-store reviewers', { org, store: 'software', reviewers: '2', key })).rejects.toThrow('(KeyStoreUnknown)');
});

test('a draft is signed on the machine of the key and submitted on the machine of the folder', async () => {
  const to = place.path('entry.json');
  await run('key-store add', { org, name: 'Vault', to });
  expect(await run('key-store sign', { entry: to })).toContain('Nothing is signed yet');
  expect(existsSync(`${to}.signed`)).toBe(false);
  expect(await run('key-store sign', { entry: to, key })).toContain('ADDS the offline store');
  const placed = await run('key-store place', { entry: `${to}.signed` });
  expect(placed).toContain('RECORDED');
  // The last entry may be submitted again, and changes nothing.
  expect(await run('key-store place', { entry: `${to}.signed` })).toContain('RECORDED');
  expect(await run('key-store list', {})).toContain('entry 1 ');
});

test('each refusal of the signer is printed with its meaning', async () => {
  await expect(run('key-store drain', { org, store: 'software', key })).rejects.toThrow(
    'The signer REFUSES the entry (KeyStoreIsPrimary). The store is the primary store.',
  );
  await expect(run('key-store drain', { org, store: 'ks-none', key })).rejects.toThrow('(KeyStoreUnknown)');
  const to = place.path('late.json');
  await run('key-store add', { org, name: 'Late', to });
  await run('key-store sign', { entry: to, key });
  await run('key-store add', { org, name: 'Vault', key });
  await expect(run('key-store place', { entry: `${to}.signed` })).rejects.toThrow('(KeyStoreNotNext)');
  const other = place.path('other.pem');
  await place.makeKey('other.pem');
  await expect(run('key-store add', { org, name: 'Forged', key: other })).rejects.toThrow('(KeyStoreNotSigned)');
});

test('a name with hidden characters, an altered draft and both places at once are refused before anything is signed', async () => {
  await expect(run('key-store add', { org, name: 'Vault\u202e', key })).rejects.toThrow('visible characters');
  await expect(run('key-store add', { org, name: 'Vault', key, to: place.path('x') })).rejects.toThrow('not both');
  const to = place.path('entry.json');
  await run('key-store add', { org, name: 'Vault', to });
  writeFileSync(to, readFileSync(to, 'utf8').replace('OfflineSigner', 'Hsm'));
  await expect(run('key-store sign', { entry: to, key })).rejects.toThrow('does not hold an entry');
  await expect(run('key-store place', { entry: to })).rejects.toThrow('does not hold a signed entry');
  expect(await run('key-store list', {})).not.toContain('entry 1');
});
