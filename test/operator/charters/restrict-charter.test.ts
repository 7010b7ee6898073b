import { readFileSync, writeFileSync } from 'node:fs';
import { restrictCharter } from '../../../operator/charters/restrict-charter';
import { charterDigest } from '../../../signer/charters/charter';
import { RESTRICTION_FILE_BYTES_MAX } from '../../../signer/charters/restriction';
import { restrict } from '../../../verify/restrict';
import type { Person } from '../../support/api';
import { type CredentialApi, startCredentialApi } from '../../support/credential-api';
import { waitUntil } from '../../support/wait-until';
import { type CharterPlace, createCharterPlace } from './charter-place';

jest.setTimeout(120_000);

let credentials: CredentialApi;
let place: CharterPlace;
let signer: Awaited<ReturnType<CharterPlace['startSigner']>> | undefined;
let operatorKey: string;
let admin: Person;
let leaving: Person;
let charter: string;
beforeAll(async () => {
  credentials = await startCredentialApi();
});
afterAll(() => credentials?.api.close());
beforeEach(async () => {
  place = createCharterPlace(credentials.api.database.appUrl);
  operatorKey = await place.makeKey();
  signer = await place.startSigner();
  admin = await credentials.person();
  leaving = await credentials.api.createPerson(admin.orgId, { name: 'Eve' });
  charter = await adopted();
});
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
  place?.close();
});

/** Puts the charter of the database into force, and returns the path of the signed file. */
async function adopted(): Promise<string> {
  const { to } = await place.draft(admin.orgId, { 'members-amend': true });
  await place.sign(to);
  await place.adopt(`${to}.signed`);
  return `${to}.signed`;
}

let files = 0;
/** A restriction that the person signs on the person's own machine. */
async function signedBy(person: Person, remove = leaving.userId): Promise<string> {
  files += 1;
  const [key, to] = [place.path(`key-${files}.pem`), place.path(`restriction-${files}`)];
  writeFileSync(key, person.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  const terminal = { show: () => undefined, ask: async () => remove.slice(-6) };
  await restrict({ home: place.path('home'), charter, key, remove, to, operatorKey }, terminal, new Date());
  return to;
}
const membersInForce = () => signer?.charters.of(admin.orgId)?.content.members.map(({ userId }) => userId);

test("the operator offers a member's signed restriction, and the status shows that the database would undo it", async () => {
  expect(membersInForce()).toContain(leaving.userId);
  expect((await place.status(admin.orgId)).join('\n')).toContain('would now change: nothing');
  const file = await signedBy(admin);
  const lines = (await place.restrict(file)).join('\n');
  expect(lines).toContain(`Removes       the member ${leaving.userId}`);
  expect(lines).toContain(`By            ${admin.userId}`);
  expect(lines).toContain('ADOPTED the restriction');
  expect(membersInForce()).not.toContain(leaving.userId);
  const status = (await place.status(admin.orgId)).join('\n');
  expect(status).toMatch(/^Sequence {6}2$/m);
  expect(status).toMatch(new RegExp(`^ {2}\\+ Members: ${leaving.userId} `, 'm'));
  // The same file may be offered again, and then changes nothing.
  expect((await place.restrict(file)).join('\n')).toContain('ADOPTED the restriction');
  expect((await place.status(admin.orgId)).join('\n')).toMatch(/^Sequence {6}2$/m);
});

test('a restriction that belongs to an earlier charter is refused with the content of the file and the reason', async () => {
  const file = await signedBy(admin);
  const text = (JSON.parse(readFileSync(charter, 'utf8')) as { readonly charter: string }).charter;
  await adopted();
  const refusal = place.restrict(file);
  await expect(refusal).rejects.toThrow(/Removes {7}the member .*\n\nThe signer REFUSES the restriction \(CharterNotNext\)\. /s);
  await expect(refusal).rejects.toThrow(`Of charter    ${charterDigest(text)}`);
  await expect(refusal).rejects.toThrow('--in-force');
  expect(membersInForce()).toContain(leaving.userId);
});

test('a changed file, a file without a restriction and a file of more than 64 KiB are refused', async () => {
  const file = await signedBy(admin);
  const text = readFileSync(file, 'utf8');
  const put = (name: string, content: string) => {
    writeFileSync(place.path(name), content);
    return place.path(name);
  };
  const altered = text.replace(leaving.userId, admin.userId);
  await expect(place.restrict(put('altered', altered))).rejects.toThrow('(AssertionInvalid)');
  await expect(place.restrict(charter)).rejects.toThrow('does not hold a restriction');
  await expect(place.restrict(put('long', text.padEnd(RESTRICTION_FILE_BYTES_MAX + 1)))).rejects.toThrow('does not hold');
  expect(membersInForce()).toContain(leaving.userId);
  expect((await place.restrict(put('full', text.padEnd(RESTRICTION_FILE_BYTES_MAX)))).join('\n')).toContain('ADOPTED');
});

test('a restriction that is offered while the signer is stopped is adopted at the next start', async () => {
  const file = await signedBy(admin);
  await signer?.stop();
  await expect(restrictCharter(place.stateDir, file, 0)).rejects.toThrow('The restriction stays in the folder');
  // The signer adopts a restriction without the operator's key.
  signer = await place.startSigner('');
  await waitUntil('the restriction', () => membersInForce()?.includes(leaving.userId) === false);
});

test('a missing state folder is refused with a clear message', async () => {
  const file = await signedBy(admin);
  await expect(restrictCharter(place.path('missing'), file, 0)).rejects.toThrow('does not exist');
});
