import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Charter, charterDigest } from '../../../../signer/charters/charter';
import type { CharterAmendedEntry, CharterRestrictedEntry } from '../../../../signer/record/charter-entries';
import { verifyFolder } from '../../../../signer/record/verification/verify-folder';
import { type Chartered, openChartered } from '../../charters/chartered';
import { restricter, restrictionText } from '../../charters/restricting';
import { kekOf, ORG, temporaryFolder } from '../../fixtures';
import { charterNow } from '../../judging/amendments/amending';

const work = temporaryFolder();
afterAll(work.remove);
let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const check = (operatorKey?: KeyObject) =>
  verifyFolder({ stateDir: office.folder.path, kek: kekOf(7), operatorKey, workDir: work.path });
const textOf = (charter: Charter) => JSON.stringify(charter);

/** Puts a charter into the journal without the signer's checks. Only someone with the journal's key could do so. */
const record = (
  charter: Charter,
  changes: { readonly orgId?: string; readonly sequence?: number; readonly digest?: string } = {},
) =>
  office.signer.journal.append({
    kind: 'CharterAdopted',
    ...{ orgId: ORG, sequence: charter.sequence, digest: charterDigest(textOf(charter)), dateAdopted: charter.dateIssued },
    ...office.signedBy(charter),
    ...changes,
  });
const amendment = (changes: Partial<CharterAmendedEntry> = {}): CharterAmendedEntry => {
  const head = { sequence: 2, previous: charterDigest(textOf(office.charter)), dateIssued: office.charter.dateIssued };
  const text = JSON.stringify({ ...office.charter, ...head });
  return {
    ...{ kind: 'CharterAmended', orgId: ORG, amendmentId: 'amd-1', amendment: 'tagWallet', action: 'a'.repeat(64) },
    ...{ ...head, digest: charterDigest(text), changes: [] },
    ...changes,
  };
};

test('the charter in force verifies with its signature, after the next charter and after an amendment too', async () => {
  expect((await check(office.operatorKey)).charters.size).toBe(0);
  const first = await office.adopt();
  const report = await check(office.operatorKey);
  expect(report.faults).toEqual([]);
  expect(report.charters.get(ORG)).toMatchObject({ sequence: 1, digest: first.digest });
  const amended = amendment();
  await office.signer.journal.append(amended);
  const after = await check(office.operatorKey);
  expect(after.faults).toEqual([]);
  expect(after.charters.get(ORG)).toMatchObject({ sequence: 2, digest: amended.digest });
  await office.adopt({ ...office.charter, sequence: 3, previous: amended.digest });
  expect(await check(office.operatorKey)).toMatchObject({ faults: [] });
});

test('a signature by a wrong key is a fault if the operator’s key is given, and the signature is not checked otherwise', async () => {
  await office.adopt();
  const { publicKey } = generateKeyPairSync('ed25519');
  const { faults } = await check(publicKey);
  expect(faults).toEqual([
    {
      place: expect.stringMatching(/^journal-000001\.jsonl, line \d+$/),
      fault: `the charter of ${ORG} is not signed with SIGNER_OPERATOR_KEY`,
    },
  ]);
  expect((await check()).faults).toEqual([]);
});

test('the signature of an earlier charter is not checked, because the operator may have changed the key', async () => {
  const other = generateKeyPairSync('ed25519');
  await office.adopt();
  const second = office.next({});
  await office.signer.journal.append({
    kind: 'CharterAdopted',
    ...{ orgId: ORG, sequence: 2, digest: charterDigest(textOf(second)), dateAdopted: second.dateIssued },
    ...office.signedBy(second, other),
  });
  expect((await check(other.publicKey)).faults).toEqual([]);
  expect((await check(office.operatorKey)).faults).toHaveLength(1);
});

const RECORDED: readonly [string, () => Promise<unknown>, RegExp][] = [
  ['a different digest', () => record(office.next({}), { digest: 'a'.repeat(64) }), /does not have the digest under which/],
  ['a skipped sequence number', () => record({ ...office.next({}), sequence: 3 }), /has sequence 3 after 1/],
  [
    'a different predecessor',
    () => record(office.next({ previous: 'b'.repeat(64) })),
    /names another digest than that of the charter before/,
  ],
  [
    'a different sequence than in its text',
    () => record(office.next({ sequence: 9 }), { sequence: 2 }),
    /is not of the organisation or the sequence/,
  ],
  [
    'a different organisation than in its text',
    () => record(office.next({ organizationId: 'or-other' })),
    /is not of the organisation or the sequence/,
  ],
  ['a different signer', () => record(office.next({ signerId: 'sgn-other' })), /was signed for another signer/],
  ['a text that this version cannot read', () => record(office.next({ dateIssued: 'never' })), /cannot be read by this version/],
  [
    'an amendment to another charter',
    () => office.signer.journal.append(amendment({ previous: 'c'.repeat(64) })),
    /names another digest/,
  ],
  [
    'an amendment with a different digest',
    () => office.signer.journal.append(amendment({ digest: 'd'.repeat(64) })),
    /does not have the digest/,
  ],
];

test.each(RECORDED)('a recorded charter with %s is a fault in its line', async (_name, act, words) => {
  await office.adopt();
  await act();
  const { faults } = await check(office.operatorKey);
  expect(faults).toContainEqual({
    place: expect.stringMatching(/^journal-000001\.jsonl, line \d+$/),
    fault: expect.stringMatching(words),
  });
});

test('a charter that is not in the journal is not in force', async () => {
  mkdirSync(join(office.folder.path, 'charters'), { recursive: true });
  expect((await check()).charters.size).toBe(0);
});

test('a restriction verifies with the key of its member, and a restriction that another key signed is a fault', async () => {
  const [eve, other] = [restricter('eve'), restricter('eve')];
  const { userId, credential } = eve;
  const member = { userId, hand: userId, isServiceAccount: false, credentials: [credential] };
  await office.adopt({ ...office.charter, members: [...office.charter.members, member] });
  const text = restrictionText(office, eve, { removes: [{ userId: office.people.cyd.userId }] });
  const { digest } = await office.signer.charters.restrict(eve.signed(text));
  const report = await check(office.operatorKey);
  expect(report.faults).toEqual([]);
  expect(report.charters.get(ORG)).toMatchObject({ sequence: 2, digest });

  const head = { sequence: 3, previous: digest, dateIssued: office.charter.dateIssued };
  const next = JSON.stringify({ ...charterNow(office), ...head });
  await office.signer.journal.append({
    ...{ kind: 'CharterRestricted', orgId: ORG, ...head, digest: charterDigest(next), changes: [] },
    ...other.signed(text),
  } satisfies CharterRestrictedEntry);
  expect((await check(office.operatorKey)).faults).toEqual([
    {
      place: expect.stringMatching(/^journal-000001\.jsonl, line \d+$/),
      fault: `the charter of ${ORG} was restricted without the signature of a member of the charter before it`,
    },
  ]);
});
