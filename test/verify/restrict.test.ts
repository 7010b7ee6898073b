import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Charter, charterDigest } from '../../signer/charters/charter';
import { REMOVES_MAX, readSignedRestriction, type SignedRestriction } from '../../signer/charters/restriction';
import { WrongUsage } from '../../verify/not-verified';
import { restrict } from '../../verify/restrict';
import { trust } from '../../verify/trust';
import { type Chartered, keyHolder, openChartered, type Person } from '../signer/charters/chartered';
import { refusedAs, temporaryFolder } from '../signer/fixtures';
import { amendmentBy, charterNow } from '../signer/judging/amendments/amending';
import { refusal } from './office';

const NOW = new Date('2026-11-28T12:00:00.000Z');
const KEYS = {
  Ed25519: () => generateKeyPairSync('ed25519'),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};

let office: Chartered;
let folder: ReturnType<typeof temporaryFolder>;
let operatorKey: string;
let files = 0;
beforeEach(async () => {
  office = await openChartered();
  folder = temporaryFolder();
});
afterEach(async () => {
  await office.close();
  folder.remove();
});

const put = (content: string, mode = 0o600): string => {
  files += 1;
  const path = join(folder.path, `file-${files}`);
  writeFileSync(path, content, { mode });
  return path;
};

/** Puts a charter with this person into force, and returns the person with the files that the program reads. */
async function member(name: string, keys: Parameters<typeof keyHolder>[1] = KEYS.Ed25519(), operations?: 'None') {
  const person = keyHolder(name, keys);
  const credential = operations === 'None' ? { ...person.credential, operations: [] } : person.credential;
  const { userId } = person;
  const joined = { userId, hand: userId, isServiceAccount: false, credentials: [credential] };
  const charter: Charter = { ...office.charter, members: [...office.charter.members, joined] };
  const signed = office.signedBy(charter);
  await office.signer.charters.adopt(signed);
  operatorKey = office.operatorKeyHex;
  const key = put(keys?.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() ?? '');
  return { person, charter, path: put(JSON.stringify(signed)), key };
}
type Member = Awaited<ReturnType<typeof member>>;
type More = { readonly remove?: string; readonly typed?: string; readonly inForce?: string; readonly key?: string };

async function signing({ path, key }: Pick<Member, 'path' | 'key'>, more: More = {}) {
  const { cyd } = office.people;
  const { remove = cyd.userId, typed = remove.slice(-6), inForce } = more;
  files += 1;
  const to = join(folder.path, `signed-${files}`);
  const shown: string[] = [];
  const terminal = { show: (lines: readonly string[]) => void shown.push(...lines), ask: async () => typed };
  const options = { home: folder.path, charter: path, key: more.key ?? key, remove, to, inForce, operatorKey };
  shown.push(...(await restrict(options, terminal, NOW)));
  return { to, shown: shown.join('\n'), signed: JSON.parse(readFileSync(to, 'utf8')) as SignedRestriction };
}
const refused = (by: Pick<Member, 'path' | 'key'>, more: More) => refusal(() => signing(by, more));
const userIds = () => charterNow(office).members.map(({ userId }) => userId);

test.each(Object.entries(KEYS))('the signer accepts the file that a key of the kind %s has signed', async (_kind, keys) => {
  const { cyd } = office.people;
  const dea = await member('dea', keys());
  const { to, signed, shown } = await signing(dea);
  expect(shown).toContain(`Of charter    ${charterDigest(JSON.stringify(dea.charter))}`);
  expect(shown).toContain(`Removes       the member ${cyd.userId}`);
  expect(shown).toMatch(/2 of 3 in the policy .*: 2 voters would be left\n/);
  expect(shown).toContain('authority:restrict');
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(readSignedRestriction(readFileSync(to))).toEqual(signed);
  for (const at of [0, 40, signed.restriction.indexOf(cyd.userId) + 12]) {
    const bytes = Buffer.from(signed.restriction);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await expect(office.signer.charters.restrict({ ...signed, restriction: bytes.toString() })).rejects.toThrow();
  }
  await office.signer.charters.restrict(signed);
  expect(userIds()).not.toContain(cyd.userId);
});

test('members and credentials are removed together, and each removal shows the quorums that remain after all removals so far', async () => {
  const { ben, cyd, ada } = office.people;
  const dea = await member('dea');
  const remove = `${cyd.userId}, ${ben.userId},${ada.userId}/${ada.credential.id}`;
  const { shown, signed } = await signing(dea, { remove });
  expect(shown).toContain(`Removes       the credential ${ada.credential.id} of ${ada.userId}`);
  expect(shown).toMatch(/2 of 2 in the policy .*: 1 voters would be left\. Its quorum CAN NO LONGER BE REACHED/);
  expect(shown).toContain(`${ada.userId} would keep 0 credentials`);
  await office.signer.charters.restrict(signed);
  expect(userIds().filter((id) => id === cyd.userId || id === ben.userId)).toEqual([]);
  expect(charterNow(office).members.find(({ userId }) => userId === ada.userId)?.credentials).toEqual([]);
});

test('after an amendment the person enters the digest in force, and the program warns that it has not seen that charter', async () => {
  const { ada, ben, cyd } = office.people;
  const dea = await member('dea');
  const { digest } = await office.signer.amendCharter(
    amendmentBy({ by: ada, amendment: { kind: 'deactivateUser' }, params: { userId: ben.userId } }),
  );
  const before = (await signing(dea)).signed;
  await expect(office.signer.charters.restrict(before)).rejects.toEqual(refusedAs('CharterNotNext'));
  const { shown, signed } = await signing(dea, { inForce: digest });
  expect(shown).toContain(`Of charter    ${digest}`);
  expect(shown).toContain('which this program has not seen');
  await office.signer.charters.restrict(signed);
  expect(userIds()).not.toContain(cyd.userId);
});

test('an unknown key cannot sign, and the key of a member without the right signs only removals of the member’s own credentials', async () => {
  const { cyd } = office.people;
  const dea = await member('dea', KEYS.Ed25519(), 'None');
  const foreign = put(KEYS.Ed25519().privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  expect(await refused(dea, { key: foreign })).toContain('not one that the charter names');
  expect(await refused(dea, {})).toContain('only credentials of your own');
  expect(await refused(dea, { remove: `${cyd.userId}/${cyd.credential.id}` })).toContain('only credentials of your own');
  const own = `${dea.person.userId}/${dea.person.credential.id}`;
  await office.signer.charters.restrict((await signing(dea, { remove: own })).signed);
});

test('nothing is signed for people who are not in the charter, after a usage error or after a wrong confirmation', async () => {
  const { ada, cyd } = office.people;
  const dea = await member('dea');
  expect(await refused(dea, { remove: 'us-none' })).toContain('does not contain everything');
  expect(await refused(dea, { remove: `${cyd.userId}/${ada.credential.id}` })).toContain('does not contain everything');
  expect(await refused(dea, { typed: 'nothing' })).toContain('Nothing was signed');
  const crowd = Array.from({ length: REMOVES_MAX + 1 }, (_none, at) => `us-${at}`).join(',');
  for (const more of [{ remove: '' }, { remove: 'us 1' }, { remove: 'us-1,us-1' }, { remove: crowd }, { inForce: 'abc' }])
    await expect(signing(dea, more)).rejects.toThrow(WrongUsage);
  expect(existsSync(join(folder.path, `signed-${files}`))).toBe(false);
});

test('the program signs only for a charter that is signed with the operator’s key that the person trusts', async () => {
  const dea = await member('dea');
  const forged = office.signedBy(dea.charter, generateKeyPairSync('ed25519'));
  expect(await refused({ ...dea, path: put(JSON.stringify(forged)) }, {})).toContain('The operator did not sign this charter');
  const home = join(folder.path, 'home');
  trust({ home, charter: dea.path, operatorKey }, NOW);
  const terminal = { show: () => undefined, ask: async () => office.people.cyd.userId.slice(-6) };
  const options = { home, charter: dea.path, key: dea.key, remove: office.people.cyd.userId, to: join(folder.path, 'to') };
  await restrict(options, terminal, NOW);
  await expect(restrict(options, terminal, NOW)).rejects.toThrow('exists already');
  expect(await refusal(() => restrict({ ...options, home: folder.path }, terminal, NOW))).toContain('have not trusted a charter');
});

test('only the key identifies the person in the charter', async () => {
  const dea = await member('dea');
  const twice: Person = { ...dea.person, userId: 'us-other' };
  const { credential } = twice;
  const again = { userId: 'us-other', hand: 'us-other', isServiceAccount: false, credentials: [{ ...credential, id: 'cred-2' }] };
  const signed = office.signedBy({ ...dea.charter, members: [...dea.charter.members, again] });
  expect(await refused({ ...dea, path: put(JSON.stringify(signed)) }, {})).toContain('more than once');
  expect(JSON.parse((await signing(dea)).signed.restriction)).toMatchObject({
    by: dea.person.userId,
    dateIssued: NOW.toISOString(),
  });
});

test('an end user’s credential is shown as such, and only a key that may remove others can remove it', async () => {
  const dea = await member('dea');
  const remove = 'us-00000-00zoe-0000000000000000/cred-00000-00zoe-0000000000000000';
  const { shown, signed } = await signing(dea, { remove });
  expect(shown).toContain('Removes       the credential cred-00000-00zoe-0000000000000000 of us-00000-00zoe-0000000000000000');
  expect(shown).toContain('no longer counts for any key of this person');
  await expect(office.signer.charters.restrict(signed)).rejects.toEqual(refusedAs('NotInCharter'));
});

test('a key without the right cannot remove a credential of an end user', async () => {
  const fay = await member('fay', KEYS.Ed25519(), 'None');
  const remove = 'us-00000-00zoe-0000000000000000/cred-00000-00zoe-0000000000000000';
  expect(await refused(fay, { remove })).toContain('remove only credentials of your own');
});
