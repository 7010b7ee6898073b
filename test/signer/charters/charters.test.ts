import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../../../platform/logger';
import { type Charter, charterDigest, Holder, operatorKeyOf, readCharter } from '../../../signer/charters/charter';
import { charterFolder, OFFERED, OUTCOME, watchCharters } from '../../../signer/charters/charter-folder';
import { waitUntil } from '../../support/wait-until';
import { NOW_MS, ORG, openOperations, refusedAs } from '../fixtures';
import { type Chartered, keyHolder, openChartered, takersOf } from './chartered';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const offer = (name: string, content: string) => {
  const folder = charterFolder(office.folder.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${name}${OFFERED}`), content);
};
const outcomeOf = (name: string) => {
  const path = join(charterFolder(office.folder.path), `${name}${OUTCOME}`);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

test('before its first charter an organisation is judged as in earlier releases', async () => {
  const { evidence: _none, ...order } = office.transfer(office.people.ada);
  await expect(office.signer.signTransfer(order)).resolves.toBeDefined();
});

test('a charter may be offered again, and stays in force after a restart without the operator’s key', async () => {
  const first = await office.adopt();
  expect(first).toEqual({ orgId: ORG, sequence: 1, digest: charterDigest(JSON.stringify(office.charter)) });
  expect(await office.adopt()).toEqual(first);
  await office.signer.close();
  const again = await office.open(generateKeyPairSync('ed25519').publicKey);
  const { evidence: _none, ...order } = office.transfer(office.people.ada);
  await expect(again.signTransfer(order)).rejects.toEqual(refusedAs('InitiatorMissing'));
  await expect(again.signTransfer(office.transfer(office.people.ada))).resolves.toBeDefined();
  await expect(again.charters.adopt(office.signedBy(office.next({})))).rejects.toEqual(refusedAs('CharterNotSigned'));
  await again.close();
  const keyless = await openOperations(office.folder.path);
  await expect(keyless.charters.adopt(office.signedBy(office.next({})))).rejects.toEqual(refusedAs('CharterNotSigned'));
  await keyless.close();
});

test('a person whom the next charter leaves out can no longer request or approve', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt();
  const held = office.held(ada, [ben, cyd]);
  await office.adopt(office.next({ members: office.charter.members.filter(({ userId }) => userId !== cyd.userId) }));
  await expect(office.signer.signTransfer(office.transfer(cyd))).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(office.signer.signTransfer(held)).rejects.toEqual(refusedAs('VotesMissing'));
});

test('a policy of the next charter applies at once, and an approval under an earlier policy is no longer accepted', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt();
  const held = office.held(ada, [ben, cyd]);
  const [policy] = office.charter.policies;
  if (!policy) throw new Error('no policy');
  const blocking = { ...policy, action: { kind: 'Block' as const }, version: 2 };
  const second = office.next({ policies: [blocking] });
  await office.adopt(second);
  await expect(office.signer.signTransfer(held)).rejects.toEqual(refusedAs('PolicyBlocked'));
  const limit = {
    ...policy,
    id: 'plc-2',
    filters: null,
    rule: { kind: 'TransactionRecipientWhitelist' as const, configuration: { addresses: [ada.userId] } },
  };
  await office.adopt({ ...office.charter, sequence: 3, previous: charterDigest(JSON.stringify(second)), policies: [limit] });
  await expect(office.signer.signTransfer(office.transfer(ada))).rejects.toEqual(refusedAs('ApprovalMissing'));
  await expect(office.signer.signTransfer(held)).rejects.toEqual(refusedAs('ApprovalMismatch'));
});

test('only the next charter of this signer, signed by the operator, is adopted', async () => {
  const { signer, signedBy, charter, next } = office;
  const refused = (content: Charter | string, by?: Parameters<typeof signedBy>[1]) =>
    expect(signer.charters.adopt(signedBy(content, by))).rejects;
  await refused(charter, generateKeyPairSync('ed25519')).toEqual(refusedAs('CharterNotSigned'));
  await refused({ ...charter, signerId: 'sgn-other' }).toEqual(refusedAs('CharterOfAnotherSigner'));
  await refused(next({})).toEqual(refusedAs('CharterNotNext'));
  await office.adopt();
  await refused({ ...charter, dateIssued: new Date(NOW_MS + 1).toISOString() }).toEqual(refusedAs('CharterNotNext'));
  await refused(next({ sequence: 3 })).toEqual(refusedAs('CharterNotNext'));
  await refused(next({ previous: '0'.repeat(64) })).toEqual(refusedAs('CharterNotNext'));
  const signed = signedBy(next({}));
  const altered = { ...signed, charter: signed.charter.replace('"quorum":2', '"quorum":1') };
  await expect(signer.charters.adopt(altered)).rejects.toEqual(refusedAs('CharterNotSigned'));
});

test('a signature of the operator’s key over other bytes is not a charter', async () => {
  const signed = office.signedBy(`strongroom charter v1\n${JSON.stringify(office.charter)}`);
  const bare = { ...signed, charter: JSON.stringify(office.charter) };
  await expect(office.signer.charters.adopt(bare)).rejects.toEqual(refusedAs('CharterNotSigned'));
});

/** A key of small order. */
const weakKey = `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.alloc(32)]).toString('base64')}\n-----END PUBLIC KEY-----\n`;

test('a text with an invalid member is not a charter', () => {
  const { charter } = office;
  const [member] = charter.members;
  const [wallet] = charter.wallets;
  const [policy] = charter.policies;
  if (!member || !wallet || !policy) throw new Error('the charter is incomplete');
  const read = (changes: object) => readCharter(JSON.stringify({ ...charter, ...changes }));
  expect(read({})).toEqual(charter);
  const { ada } = office.people;
  for (const changes of [
    { v: 2 },
    { sequence: 0 },
    { sequence: 2 },
    { previous: 'a'.repeat(64) },
    { extra: true },
    { dateIssued: 'today' },
    { members: [member, member] },
    { members: [member, { ...member, userId: 'us-other' }] },
    { members: [{ ...member, hand: undefined }] },
    { members: [{ ...member, credentials: [{ ...ada.credential, publicKey: weakKey }] }] },
    { members: [{ ...member, credentials: [{ ...ada.credential, operations: ['everything'] }] }] },
    { members: [{ ...member, credentials: [{ ...ada.credential, kind: 'Password' }] }] },
    { wallets: [wallet, wallet] },
    { policies: [{ ...policy, rule: { kind: 'TransactionAmountLimit', configuration: { limit: '5', currency: 'USD' } } }] },
    { policies: [{ ...policy, rule: { kind: 'TransactionAmountLimit', configuration: {} } }] },
    { policies: [{ ...policy, rule: { kind: 'KytATransactionScreening' } }] },
    { policies: [{ ...policy, activityKind: 'Policies:Modify' }] },
    { policies: [{ ...policy, mode: 'Off' }] },
    { policies: [{ ...policy, action: { kind: 'RequestApproval', approvalGroups: [] } }] },
    { policies: [{ ...policy, filters: { walletId: [] } }] },
    ...['app', 'http://app.example', 'https://app.example/'].map((origin) => ({
      seen: { operations: ['transferAsset'], origins: [origin] },
    })),
  ])
    expect([changes, read(changes)]).toEqual([changes, undefined]);
  const text = JSON.stringify(charter);
  expect(readCharter(text.replace('"v":1', '"v":1,"v":1'))).toBeUndefined();
  expect(readCharter(`${text}${' '.repeat(1024 * 1024)}`)).toBeUndefined();
});

test('the credentials of an end user have different ids and sound keys', () => {
  const { operations: _operations, ...credential } = office.people.ada.credential;
  const { operations: _none, ...other } = office.people.cyd.credential;
  const isHolder = (credentials: readonly object[]) => Holder.safeParse({ userId: 'us-1', credentials }).success;
  expect(isHolder([credential, other])).toBe(true);
  expect(isHolder([credential, { ...other, id: credential.id }])).toBe(false);
  expect(isHolder([credential, { ...other, publicKey: weakKey }])).toBe(false);
});

test('an operator’s key of small order is refused', () => {
  expect(() => operatorKeyOf(Buffer.alloc(32))).toThrow('small order');
});

test('a charter in a file of the state folder is adopted, and the reason is reported for each refused file', async () => {
  const junk = ['', 'null', '{}', '{"charter":1,"signature":""}', JSON.stringify({ charter: 'x', signature: 'AAAA' })];
  for (const [at, content] of junk.entries()) offer(`junk-${at}`, content);
  offer('large', ' '.repeat(7 * 1024 * 1024));
  mkdirSync(join(charterFolder(office.folder.path), `0${OFFERED}`));
  offer('good', JSON.stringify(office.signedBy(office.charter)));
  const watch = watchCharters(office.folder.path, takersOf(office.signer), createLogger('signer', 'silent'));
  await waitUntil('the offers to be processed', () =>
    readdirSync(charterFolder(office.folder.path)).every((name) => !name.endsWith(OFFERED)),
  );
  expect(outcomeOf('good')).toBe('Adopted');
  expect([outcomeOf('0'), outcomeOf('large')]).toEqual(['CharterMalformed', 'CharterMalformed']);
  expect(junk.map((_one, at) => outcomeOf(`junk-${at}`))).toEqual([...Array(4).fill('CharterMalformed'), 'CharterNotSigned']);
  await expect(office.signer.signTransfer(office.transfer(keyHolder('eve')))).rejects.toEqual(refusedAs('NotInCharter'));
  offer('later', JSON.stringify(office.signedBy(office.next({ sequence: 7 }))));
  await waitUntil('the outcome', () => outcomeOf('later'));
  expect(outcomeOf('later')).toBe('CharterNotNext');
  await watch.close();
});
