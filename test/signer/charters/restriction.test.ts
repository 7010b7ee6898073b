import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CharterOperation } from '../../../domain/charters';
import { createLogger } from '../../../platform/logger';
import { readAdoptedCharters } from '../../../signer/charters/adopted-charters';
import { type Charter, charterDigest } from '../../../signer/charters/charter';
import { charterFolder, OFFERED, OUTCOME, watchCharters } from '../../../signer/charters/charter-folder';
import {
  isRestrictionSignedBy,
  REMOVES_MAX,
  RESTRICTION_FILE_BYTES_MAX,
  type Removal,
  type Restriction,
  readRestriction,
  readSignedRestriction,
} from '../../../signer/charters/restriction';
import { removeIndexes } from '../../../signer/wire/operator-api';
import { waitUntil } from '../../support/wait-until';
import { ORG, refusedAs } from '../fixtures';
import { amendmentBy, charterNow } from '../judging/amendments/amending';
import { type Chartered, keyHolder, openChartered, passkeyHolder, takersOf } from './chartered';
import { restricter, restrictionText, type Signer } from './restricting';

let office: Chartered;
let dea: Signer;
let eli: Signer;
let first: Charter;
beforeEach(async () => {
  office = await openChartered();
  [dea, eli] = [restricter('dea'), restricter('eli')];
  first = firstCharter();
  await office.adopt(first);
});
afterEach(() => office.close());

const memberOf = ({ userId, credential }: Pick<Signer, 'userId' | 'credential'>, operations = credential.operations) => ({
  ...{ userId, hand: userId, isServiceAccount: false },
  credentials: [{ ...credential, operations }],
});
/** `eli` may do everything except remove others. */
const firstCharter = (): Charter => {
  const isOther = (one: CharterOperation) => one !== 'deactivateUser' && one !== 'archiveUser';
  const [ben, ...others] = office.charter.members.filter(({ userId }) => userId !== office.people.ada.userId);
  const [ada] = office.charter.members;
  if (!ada || !ben) throw new Error('the charter is incomplete');
  const second = { ...passkeyHolder('two').credential };
  const withTwo = { ...ada, credentials: [...ada.credentials, second] };
  const members = [withTwo, ben, ...others, memberOf(dea), memberOf(eli, eli.credential.operations.filter(isOther))];
  return { ...office.charter, members };
};
const textBy = (by: Signer, removes: readonly Removal[], changes: Partial<Restriction> = {}) =>
  restrictionText(office, by, { removes: [...removes], ...changes });
const restrict = (by: Signer, removes: readonly Removal[], changes: Partial<Restriction> = {}) =>
  office.signer.charters.restrict(by.signed(textBy(by, removes, changes)));
const user = ({ userId }: { readonly userId: string }): Removal => ({ userId });
const key = ({ userId, credential }: Pick<Signer, 'userId' | 'credential'>): Removal => ({ userId, credentialId: credential.id });
const nextOf = (changes: Partial<Charter> = {}): Charter => {
  const now = charterNow(office);
  return { ...now, sequence: now.sequence + 1, previous: charterDigest(JSON.stringify(now)), ...changes };
};

test('a removed member can no longer request or approve, even after a restart or a rebuild from the journal', async () => {
  const { ada, ben, cyd } = office.people;
  const held = office.held(ada, [ben, cyd]);
  const before = charterDigest(JSON.stringify(charterNow(office)));
  const head = await restrict(dea, [user(cyd)]);
  const now = charterNow(office);
  expect(head).toEqual({ orgId: ORG, sequence: 2, digest: charterDigest(JSON.stringify(now)) });
  expect(now).toEqual({
    ...first,
    ...{ sequence: 2, previous: before, dateIssued: new Date(office.clock.nowMs).toISOString() },
    members: first.members.filter(({ userId }) => userId !== cyd.userId),
  });
  const refuses = async (signer: Pick<Chartered['signer'], 'signTransfer'>) => {
    await expect(signer.signTransfer(office.transfer(cyd))).rejects.toEqual(refusedAs('NotInCharter'));
    await expect(signer.signTransfer(held)).rejects.toEqual(refusedAs('VotesMissing'));
  };
  await refuses(office.signer);
  await office.signer.close();
  const adopted = await readAdoptedCharters(office.folder.path);
  expect(adopted.get(ORG)).toMatchObject({ sequence: 2, digest: head.digest, charter: now });
  const again = await office.open();
  await refuses(again);
  await again.close();
  await removeIndexes(office.folder.path);
  const rebuilt = await office.open();
  await refuses(rebuilt);
  await expect(rebuilt.signTransfer(office.transfer(ada))).resolves.toBeDefined();
  await rebuilt.close();
});

test('a removed credential can no longer sign, and the other credentials of the member still can', async () => {
  const { ada } = office.people;
  const [, two] = first.members[0]?.credentials ?? [];
  await restrict(dea, [{ userId: ada.userId, credentialId: two?.id ?? '' }]);
  expect(charterNow(office).members.find(({ userId }) => userId === ada.userId)?.credentials).toEqual([ada.credential]);
  await expect(office.signer.signTransfer(office.transfer(ada))).resolves.toBeDefined();
  await restrict(dea, [key(ada)]);
  expect(charterNow(office).members.find(({ userId }) => userId === ada.userId)?.credentials).toEqual([]);
  await expect(office.signer.signTransfer(office.transfer(ada))).rejects.toEqual(refusedAs('AssertionInvalid'));
});

test('one restriction removes several members and credentials, either all of them or none', async () => {
  const { ada, ben, cyd } = office.people;
  const [one, two] = first.members[0]?.credentials ?? [];
  const keysOfAda = [one, two].map((credential) => ({ userId: ada.userId, credentialId: credential?.id ?? '' }));
  const before = charterNow(office);
  await expect(restrict(dea, [user(cyd), ...keysOfAda, { userId: 'us-none' }])).rejects.toEqual(refusedAs('NotInCharter'));
  expect(charterNow(office)).toEqual(before);
  await restrict(dea, [user(cyd), ...keysOfAda, user(ben)]);
  const { members } = charterNow(office);
  expect(members.find(({ userId }) => userId === ada.userId)?.credentials).toEqual([]);
  expect(members.map(({ userId }) => userId).sort()).toEqual(
    [ada, office.people.bot, dea, eli].map(({ userId }) => userId).sort(),
  );
});

test('a member without the right can remove only the member’s own credentials', async () => {
  const { cyd } = office.people;
  for (const removes of [[user(cyd)], [key(cyd)], [user(eli)], [key(eli), key(cyd)]])
    await expect(restrict(eli, removes)).rejects.toEqual(refusedAs('NotPermitted'));
  const transferOf = () => office.transfer({ ...eli, anchorAt: office.anchorAt });
  await expect(office.signer.signTransfer(transferOf())).resolves.toBeDefined();
  await restrict(eli, [key(eli)]);
  await expect(office.signer.signTransfer(transferOf())).rejects.toEqual(refusedAs('AssertionInvalid'));
  await expect(restrict(eli, [key(eli)])).rejects.toEqual(refusedAs('AssertionInvalid'));
});

test.each(['deactivateUser', 'archiveUser'] as const)('the right to %s is enough', async (operation) => {
  const fay = restricter('fay');
  const members = [...charterNow(office).members, memberOf(fay, [operation])];
  await office.signer.charters.adopt(office.signedBy(nextOf({ members })));
  await restrict(fay, [user(office.people.cyd)]);
  expect(charterNow(office).members.map(({ userId }) => userId)).not.toContain(office.people.cyd.userId);
});

test('a restriction for another signer, organisation or charter is refused', async () => {
  const removes = [user(office.people.cyd)];
  await expect(restrict(dea, removes, { signerId: 'sgn-other' })).rejects.toEqual(refusedAs('CharterOfAnotherSigner'));
  await expect(restrict(dea, removes, { organizationId: 'or-other' })).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(restrict(dea, removes, { charter: '0'.repeat(64) })).rejects.toEqual(refusedAs('CharterNotNext'));
  const removal = { by: dea, amendment: { kind: 'deactivateUser' as const }, params: { userId: office.people.ben.userId } };
  const signed = dea.signed(textBy(dea, removes));
  await office.signer.amendCharter(amendmentBy({ ...removal, by: office.people.ada }));
  await expect(office.signer.charters.restrict(signed)).rejects.toEqual(refusedAs('CharterNotNext'));
  await restrict(dea, removes);
});

test('the signature must cover this text, with a key of the member who issues the restriction', async () => {
  const { ada, ben, cyd } = office.people;
  const text = textBy(dea, [user(cyd)]);
  const signed = dea.signed(text);
  const refused = (changes: Partial<typeof signed>) => expect(office.signer.charters.restrict({ ...signed, ...changes })).rejects;
  await refused({ restriction: text.replace(cyd.userId, ben.userId) }).toEqual(refusedAs('AssertionInvalid'));
  await refused({ restriction: `${text} ` }).toEqual(refusedAs('AssertionInvalid'));
  await refused({ signature: eli.signed(text).signature }).toEqual(refusedAs('AssertionInvalid'));
  await refused({ credentialId: eli.credential.id }).toEqual(refusedAs('AssertionInvalid'));
  await refused({ ...eli.signed(text) }).toEqual(refusedAs('AssertionInvalid'));
  await refused({ credentialId: ada.credential.id }).toEqual(refusedAs('AssertionInvalid'));
  await refused({ signature: 'AAAA' }).toEqual(refusedAs('AssertionInvalid'));
  const unknown = restricter('gus');
  await expect(restrict(unknown, [user(cyd)])).rejects.toEqual(refusedAs('NotInCharter'));
  await office.signer.charters.restrict(signed);
});

test('a passkey of the charter cannot sign a restriction, even if its key made the signature', async () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const gil = restricter('gil', keys);
  const asPasskey = { ...gil.credential, kind: 'Fido2' as const, relyingPartyId: 'localhost' };
  const members = [...charterNow(office).members, memberOf({ ...gil, credential: asPasskey })];
  await office.signer.charters.adopt(office.signedBy(nextOf({ members })));
  await expect(restrict(gil, [user(office.people.cyd)])).rejects.toEqual(refusedAs('AssertionInvalid'));
});

test.each([
  ['P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['secp256k1', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
  ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
])('a key of the kind %s can sign a restriction', async (_name, keys) => {
  const gil = restricter('gil', keys());
  await office.signer.charters.adopt(office.signedBy(nextOf({ members: [...charterNow(office).members, memberOf(gil)] })));
  await restrict(gil, [user(office.people.cyd)]);
  expect(charterNow(office).members.map(({ userId }) => userId)).not.toContain(office.people.cyd.userId);
});

test('an item that is not in the charter cannot be removed, and no item can be removed twice', async () => {
  const { ada, cyd } = office.people;
  for (const removes of [
    [{ userId: 'us-none' }],
    [{ userId: cyd.userId, credentialId: 'cred-none' }],
    [{ userId: cyd.userId, credentialId: ada.credential.id }],
    [user(cyd), key(cyd)],
    [key(cyd), user(keyHolder('none'))],
  ])
    await expect(restrict(dea, removes)).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(restrict(dea, [user(cyd), user(cyd)])).rejects.toEqual(refusedAs('CharterMalformed'));
  await expect(restrict(dea, [key(cyd), key(cyd)])).rejects.toEqual(refusedAs('CharterMalformed'));
  await restrict(dea, [key(cyd), user(cyd)]);
});

test('a repeated restriction gets the same reply, even after a restart, and is refused after the next charter', async () => {
  const { cyd } = office.people;
  const signed = dea.signed(textBy(dea, [user(cyd)]));
  const head = await office.signer.charters.restrict(signed);
  expect(await office.signer.charters.restrict(signed)).toEqual(head);
  expect(charterNow(office).sequence).toBe(2);
  const older = dea.signed(textBy(dea, [user(cyd)], { charter: head.digest }));
  await office.signer.close();
  const again = await office.open();
  expect(await again.charters.restrict(signed)).toEqual(head);
  await again.charters.adopt(office.signedBy({ ...first, sequence: 3, previous: head.digest }));
  await expect(again.charters.restrict(signed)).rejects.toEqual(refusedAs('CharterNotNext'));
  expect(again.charters.of(ORG)?.member(cyd.userId)).toBeDefined();
  await expect(again.charters.restrict(older)).rejects.toEqual(refusedAs('CharterNotNext'));
  await again.close();
});

test('the operator’s next charter must name the restricted charter as its predecessor', async () => {
  const before = charterNow(office);
  await restrict(dea, [user(office.people.cyd)]);
  const beside = { ...before, sequence: 2, previous: charterDigest(JSON.stringify(before)) };
  await expect(office.signer.charters.adopt(office.signedBy(beside))).rejects.toEqual(refusedAs('CharterNotNext'));
  expect(await office.signer.charters.adopt(office.signedBy(nextOf()))).toMatchObject({ sequence: 3 });
});

test('the limit for removals by amendments does not apply to restrictions', async () => {
  const crowd = Array.from({ length: REMOVES_MAX + 1 }, (_none, at) => ({
    ...{ userId: `us-${at}`, hand: `us-${at}`, isServiceAccount: false, credentials: [] },
  }));
  await office.signer.charters.adopt(office.signedBy(nextOf({ members: [...charterNow(office).members, ...crowd] })));
  office.clock.nowMs += 1;
  for (const member of crowd.slice(1)) {
    const signed = { anchor: office.anchorAt() };
    const { userId } = member;
    await office.signer.amendCharter(
      amendmentBy({ by: office.people.ada, amendment: { kind: 'deactivateUser' }, params: { userId }, signed }),
    );
  }
  expect(office.signer.charters.isAmendedOften(ORG, 'deactivateUser')).toBe(true);
  await restrict(dea, crowd.slice(0, 1).map(user));
  expect(charterNow(office).members).toHaveLength(first.members.length);
});

describe('the text of a restriction', () => {
  const read = (changes: object) => readRestriction(JSON.stringify({ ...JSON.parse(textBy(dea, [user(eli)])), ...changes }));
  const crowd = (count: number) => Array.from({ length: count }, (_none, at) => ({ userId: `us-${at}` }));

  test('has between one and a hundred removals', () => {
    expect(read({ removes: crowd(1) })?.removes).toHaveLength(1);
    expect(read({ removes: crowd(REMOVES_MAX) })?.removes).toHaveLength(REMOVES_MAX);
    expect([read({ removes: [] }), read({ removes: crowd(REMOVES_MAX + 1) })]).toEqual([undefined, undefined]);
  });

  test('is not a restriction if any member is invalid', () => {
    for (const changes of [
      { v: 2 },
      { extra: true },
      { signerId: undefined },
      { organizationId: 'or 1' },
      { charter: 'A'.repeat(64) },
      { dateIssued: 'today' },
      { by: '' },
      { removes: 'us-1' },
      { removes: [{ userId: 'us-1', credentialId: null }] },
      { removes: [{ credentialId: 'cred-1' }] },
      { removes: [{ userId: 'us-1', extra: 1 }] },
    ])
      expect([changes, read(changes)]).toEqual([changes, undefined]);
    expect(readRestriction(textBy(dea, [user(eli)]).replace('"v":1', '"v":1,"v":1'))).toBeUndefined();
  });

  test('and its file have at most 64 KiB', () => {
    const text = textBy(dea, [user(eli)]);
    expect(readRestriction(text.padEnd(RESTRICTION_FILE_BYTES_MAX))).toBeDefined();
    expect(readRestriction(text.padEnd(RESTRICTION_FILE_BYTES_MAX + 1))).toBeUndefined();
    const file = (bytes: number) => Buffer.from(JSON.stringify(dea.signed(text)).padEnd(bytes));
    expect(readSignedRestriction(file(RESTRICTION_FILE_BYTES_MAX))).toEqual(dea.signed(text));
    expect(readSignedRestriction(file(RESTRICTION_FILE_BYTES_MAX + 1))).toBeUndefined();
  });
});

test('the journal contains the signed restriction and its signature', async () => {
  const signed = dea.signed(textBy(dea, [user(office.people.cyd)]));
  await office.signer.charters.restrict(signed);
  const journal = readFileSync(join(office.folder.path, 'journal-000001.jsonl'), 'utf8');
  expect(journal).toContain(JSON.stringify(signed.restriction));
  expect(journal).toContain(signed.signature);
});

test('a file in the state folder is read according to its name, and the reason is reported for each refused file', async () => {
  const folder = charterFolder(office.folder.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const signed = dea.signed(textBy(dea, [user(office.people.cyd)]));
  const offers: Readonly<Record<string, readonly [content: string, outcome: string]>> = {
    'empty.restriction': ['', 'CharterMalformed'],
    'text.restriction': [JSON.stringify({ ...signed, restriction: '{}' }), 'CharterMalformed'],
    'more.restriction': [JSON.stringify({ ...signed, extra: 1 }), 'CharterMalformed'],
    'twice.restriction': [JSON.stringify(signed).replace('{', '{"signature":"AAAA",'), 'CharterMalformed'],
    'long.restriction': [JSON.stringify(signed).padEnd(RESTRICTION_FILE_BYTES_MAX + 1), 'CharterMalformed'],
    'charter.restriction': [JSON.stringify(office.signedBy(nextOf())), 'CharterMalformed'],
    named: [JSON.stringify(signed), 'CharterMalformed'],
    'forged.restriction': [JSON.stringify({ ...signed, signature: 'AAAA' }), 'AssertionInvalid'],
    'good.restriction': [JSON.stringify(signed).padEnd(RESTRICTION_FILE_BYTES_MAX), 'Adopted'],
  };
  for (const [name, [content]] of Object.entries(offers)) writeFileSync(join(folder, `${name}${OFFERED}`), content);
  const watch = watchCharters(office.folder.path, takersOf(office.signer), createLogger('signer', 'silent'));
  const pathOf = (name: string) => join(folder, `${name}${OUTCOME}`);
  await waitUntil('the outcomes', () => Object.keys(offers).every((name) => existsSync(pathOf(name))));
  await watch.close();
  for (const [name, [, outcome]] of Object.entries(offers))
    expect([name, readFileSync(pathOf(name), 'utf8')]).toEqual([name, outcome]);
  expect(charterNow(office).members.map(({ userId }) => userId)).not.toContain(office.people.cyd.userId);
});

test('a signature is refused if the public key is not a key', () => {
  const signed = dea.signed(textBy(dea, [user(eli)]));
  expect(isRestrictionSignedBy(dea.credential.publicKey, signed)).toBe(true);
  expect(isRestrictionSignedBy('no key', signed)).toBe(false);
});
