import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyStore } from '../../../entities/policies/policy.store';
import { WalletTagEntity } from '../../../entities/wallets/wallet-tag.entity';
import { adoptCharter } from '../../../operator/charters/adopt-charter';
import { charterDigest } from '../../../signer/charters/charter';
import { charterFolder } from '../../../signer/charters/charter-folder';
import type { Person } from '../../support/api';
import { type CredentialApi, startCredentialApi } from '../../support/credential-api';
import { insertPolicy, insertWallet } from '../../support/held-activity';
import { askFor } from '../../support/policies';
import { waitUntil } from '../../support/wait-until';
import { type CharterPlace, createCharterPlace } from './charter-place';

jest.setTimeout(120_000);

let credentials: CredentialApi;
let place: CharterPlace;
let signer: Awaited<ReturnType<CharterPlace['startSigner']>> | undefined;
let person: Person;
beforeAll(async () => {
  credentials = await startCredentialApi();
});
afterAll(() => credentials?.api.close());
beforeEach(async () => {
  place = createCharterPlace(credentials.api.database.appUrl);
  await place.makeKey();
  signer = await place.startSigner();
  person = await credentials.person();
});
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
  place?.close();
});

const db = () => credentials.api.database.db;
/** Drafts and signs the next charter, and returns the path of the signed file. */
const signedDraft = async (org = person.orgId) => {
  const { to } = await place.draft(org);
  await place.sign(to);
  return `${to}.signed`;
};
const inForce = (org = person.orgId) => signer?.charters.of(org)?.digest;
const digestOf = (path: string): string => charterDigest((JSON.parse(readFileSync(path, 'utf8')) as { charter: string }).charter);

test('draft, signature and adoption put a charter into force, and the status then shows no differences', async () => {
  await credentials.passkey(person);
  await insertWallet(db(), person.orgId, ['cold']);
  await insertPolicy(db(), person.orgId, { action: askFor([{ id: 'g', quorum: 1, approvers: {} }], 60) });
  expect((await place.status(person.orgId)).join('\n')).toContain('has no charter');
  const { to, lines } = await place.draft(person.orgId);
  expect(lines).toContain('The organisation has no charter yet.');

  const read = await place.read(to);
  expect(existsSync(`${to}.signed`)).toBe(false);
  const signed = await place.sign(to);
  expect(statSync(`${to}.signed`).mode & 0o777).toBe(0o600);
  expect(signed.slice(0, read.length - 1)).toEqual(read.slice(0, -1));
  const fingerprints = (printed: readonly string[]) => printed.join('\n').match(/(?:[0-9a-f]{4} ){7}[0-9a-f]{4}/g);
  expect(fingerprints(lines)).toHaveLength(2);
  expect(fingerprints(signed)).toEqual(fingerprints(lines));

  const adopted = await place.adopt(`${to}.signed`);
  expect(adopted[0]).toContain('ADOPTED');
  expect(inForce()).toBe(digestOf(`${to}.signed`));
  expect(readdirSync(charterFolder(place.stateDir))).toEqual([]);

  const status = (await place.status(person.orgId)).join('\n');
  expect(status).toContain('The database would now change: nothing');
  expect(status).toContain('its seals were not');
  expect((await place.status()).join('\n')).toMatch(new RegExp(`^${person.orgId}  1  ${inForce()}  `, 'm'));
});

test('new members, changed policies and changed wallets are differences, in status and in the next draft', async () => {
  const { orgId } = person;
  const [kept, gone] = [await insertWallet(db(), orgId, ['cold']), await insertWallet(db(), orgId)];
  const policyId = await insertPolicy(db(), orgId, { name: 'Ask', action: askFor([{ id: 'g', quorum: 2, approvers: {} }]) });
  const first = await signedDraft();
  await place.adopt(first);

  const joined = await credentials.api.createPerson(orgId, { name: 'Eve' });
  const { uuid } = await credentials.key(person);
  const fresh = await insertWallet(db(), orgId);
  await db().withOrg(orgId, async (tx) => {
    await tx.insert(WalletTagEntity, { orgId, walletId: kept, tag: 'hot' });
    await tx.query(`UPDATE wallets SET status = 'Archived' WHERE org_id = $1 AND id = $2`, [orgId, gone]);
    const action = askFor([{ id: 'g', quorum: 1, approvers: {} }]);
    await policyStore.change(tx, policyId, { action, version: 2, status: 'Active' });
  });

  const expected = [
    new RegExp(`^ {2}\\+ Members: ${joined.userId} "Eve <`, 'm'),
    new RegExp(`^ {2}~ Members: ${person.userId} .*\n {6}\\+ key ${uuid}: `, 'm'),
    new RegExp(`^ {2}\\+ Wallets: ${fresh}$`, 'm'),
    new RegExp(`^ {2}- Wallets: ${gone}$`, 'm'),
    new RegExp(`^ {2}~ Wallets: ${kept}\n {6}- tags "cold"\n {6}\\+ tags "cold", "hot"$`, 'm'),
    new RegExp(
      `^ {2}~ Policies: ${policyId} Ask\n {6}- version 1\n {6}- +2 of all employees.*\n {6}\\+ version 2\n {6}\\+ +1 of all`,
      'm',
    ),
  ];
  const status = (await place.status(orgId)).join('\n');
  const { to, lines, text } = await place.draft(orgId);
  for (const pattern of expected) {
    expect(status).toMatch(pattern);
    expect(lines.join('\n')).toMatch(pattern);
  }
  expect(JSON.parse(text)).toMatchObject({ sequence: 2, previous: digestOf(first) });

  const read = (await place.sign(to, { previous: first })).join('\n');
  expect(read).toMatch(new RegExp(`^ {2}\\+ Wallets: ${fresh}$`, 'm'));
  await place.adopt(`${to}.signed`);
  expect((await place.status(orgId)).join('\n')).toContain('would now change: nothing');
  // The same charter may be offered again, and an earlier one may not.
  expect((await place.adopt(`${to}.signed`))[0]).toContain('ADOPTED');
  await expect(place.adopt(first)).rejects.toThrow('CharterNotNext');
  await expect(place.sign(`${to}`, { previous: `${to}.signed` })).rejects.toThrow('does not follow');
});

test('a signed text that was altered by one character is refused, and so is a signature by another key', async () => {
  const path = await signedDraft();
  const signed = JSON.parse(readFileSync(path, 'utf8')) as { charter: string; signature: string };
  const altered = signed.charter.replace('"dateIssued":"2', '"dateIssued":"3');
  expect(altered).not.toBe(signed.charter);
  writeFileSync(place.path('altered'), JSON.stringify({ ...signed, charter: altered }));
  await expect(place.adopt(place.path('altered'))).rejects.toThrow(
    /REFUSES the charter \(CharterNotSigned\).*SIGNER_OPERATOR_KEY/,
  );

  await place.makeKey('other.pem');
  const { to } = await place.draft(person.orgId);
  await place.sign(to, { key: place.path('other.pem') });
  await expect(place.adopt(`${to}.signed`)).rejects.toThrow('CharterNotSigned');
  expect(inForce()).toBeUndefined();
  expect((await place.adopt(path))[0]).toContain('ADOPTED');
});

test('a charter for another signer and an old sequence are refused with a clear message', async () => {
  const foreign = createCharterPlace(credentials.api.database.appUrl);
  const elsewhere = await foreign.startSigner(await foreign.makeKey());
  const { to } = await foreign.draft(person.orgId);
  await elsewhere.stop();
  await place.sign(to);
  process.env['SIGNER_STATE_DIR'] = place.stateDir;
  await expect(place.adopt(`${to}.signed`)).rejects.toThrow(/CharterOfAnotherSigner\). .*another signer/);
  foreign.close();
  process.env['SIGNER_STATE_DIR'] = place.stateDir;
  process.env['DATABASE_URL'] = credentials.api.database.appUrl;

  const [one, two] = [await signedDraft(), await signedDraft()];
  await place.adopt(one);
  await expect(place.adopt(two)).rejects.toThrow(/CharterNotNext\). .*Draft, compare and sign again/);
});

test('the signer rejects junk and oversized offers, and continues to work', async () => {
  const folder = charterFolder(place.stateDir);
  const junk: Readonly<Record<string, string | Buffer>> = {
    empty: '',
    bytes: Buffer.from([0, 255, 254, 10]),
    list: '[]',
    twice: '{"charter":"a","charter":"b","signature":""}',
    deep: '['.repeat(5_000),
    wide: Buffer.alloc(8 * 1024 * 1024, 0x20),
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(junk)) writeFileSync(join(folder, `${name}.offered`), content);
  const answered = () => Object.keys(junk).every((name) => existsSync(join(folder, `${name}.outcome`)));
  await waitUntil('an answer to each offer', answered);
  for (const name of Object.keys(junk))
    expect([name, readFileSync(join(folder, `${name}.outcome`), 'utf8')]).toEqual([name, 'CharterMalformed']);
  expect((await place.adopt(await signedDraft()))[0]).toContain('ADOPTED');
});

test('a charter that is offered while the signer is stopped is adopted at the next start', async () => {
  const path = await signedDraft();
  await signer?.stop();
  await expect(adoptCharter(place.stateDir, path, 0)).rejects.toThrow('reads it at its next start');
  signer = await place.startSigner();
  await waitUntil('the charter', () => inForce() === digestOf(path));
  await signer.stop();
  // Without the operator's key, adopted charters stay in force, but no further charter is accepted.
  signer = await place.startSigner('');
  expect(inForce()).toBe(digestOf(path));
});

test('a file that is not a signed charter, a missing folder and a folder without a journal are refused with a message', async () => {
  const path = await signedDraft();
  writeFileSync(place.path('other'), '{"charter":"x"}');
  await expect(place.adopt(place.path('other'))).rejects.toThrow('does not hold a signed charter');
  writeFileSync(place.path('noted'), JSON.stringify({ charter: '{"v":2}', signature: 'AAAA' }));
  await expect(place.adopt(place.path('noted'))).rejects.toThrow(/does not hold a charter:\n {2}v: /);
  process.env['SIGNER_STATE_DIR'] = place.path('missing');
  await expect(place.adopt(path)).rejects.toThrow('does not exist');
  mkdirSync(place.path('missing'));
  await expect(place.draft(person.orgId)).rejects.toThrow('has no journal of a signer');
  await expect(place.status()).rejects.toThrow('has no journal of a signer');
});

test('a journal in which the text of a charter was altered is not believed', async () => {
  await place.adopt(await signedDraft());
  await signer?.stop();
  signer = undefined;
  const journal = join(place.stateDir, 'journal-000001.jsonl');
  writeFileSync(journal, readFileSync(journal, 'utf8').replace('transferAsset', 'releaseFreeze'));
  await expect(place.status(person.orgId)).rejects.toThrow('was altered or damaged');
  await expect(place.draft(person.orgId)).rejects.toThrow('was altered or damaged');
});
