import { HOUR_MS, MINUTE_MS } from '../../../../domain/durations';
import { digestOf } from '../../../../platform/canonical';
import type { Charter } from '../../../../signer/charters/charter';
import { createSharePair, openShare } from '../../../../signer/keys/hpke';
import { exportInfo } from '../../../../signer/keys/key-shares';
import type { CreatedKey, ExportKeyOrder } from '../../../../signer/protocol';
import type { Evidence } from '../../../../signer/record/evidence';
import {
  actionOf,
  type Chartered,
  HELD_WALLET_ID,
  openChartered,
  type Person,
  type Said,
  voteOf,
} from '../../charters/chartered';
import { keyOrder, NOW_MS, ORG, refusedAs } from '../../fixtures';

const POLICY = 'plc-00000-00000-0000000000000009';
const WAIT_HOURS = 24;
const WAIT_MS = WAIT_HOURS * HOUR_MS;
const SCHEMES = [{ protocol: 'Software', curve: 'secp256k1' }];

let office: Chartered;
let recipient: { secret: Buffer; publicKey: Buffer };
beforeAll(async () => {
  recipient = await createSharePair();
});
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

type Policy = NonNullable<Charter['exports']>['policies'][number];
const policyOf = (changes: Partial<Policy> = {}): Policy => ({
  id: POLICY,
  name: 'Two officers let a key leave',
  version: 1,
  activityKind: 'Keys:Export',
  rule: { kind: 'AlwaysTrigger' },
  action: { kind: 'RequestApproval', approvalGroups: [{ id: 'grp-9', quorum: 2, approvers: { userId: { in: voterIds() } } }] },
  filters: null,
  mode: 'Enforce',
  ...changes,
});
const voterIds = () => [office.people.ben, office.people.cyd].map(({ userId }) => userId);
const adopt = (policy: Partial<Policy> = {}) =>
  office.adopt({ ...office.charter, exports: { waitHours: WAIT_HOURS, policies: [policyOf(policy)] } });

const moment = () => ({
  issuedAt: new Date(office.clock.nowMs).toISOString(),
  notAfter: new Date(office.clock.nowMs + 1_000).toISOString(),
});
const rowsOf = ({ sealed, dek }: CreatedKey) => ({ orgId: ORG, keyId: sealed.keyId, sealed, dek });
const to = (publicKey = recipient.publicKey) => publicKey.toString('base64');
const bodyFor = (encryptionKey = to()) => JSON.stringify({ encryptionKey, supportedSchemes: SCHEMES });

/** The signed request, at the signer's present time. */
const asking = (by: Person, said: Partial<Said> = {}): Evidence =>
  actionOf('Initiator', by, {
    path: `/keys/${office.keys.free.sealed.keyId}/export`,
    body: bodyFor(),
    expiresMs: office.clock.nowMs + MINUTE_MS,
    ...said,
  });

type Agreed = { readonly by?: Person; readonly key?: CreatedKey; readonly change?: object; readonly committed?: object };

/** The approval of an export, with votes that these voters sign now. */
function agreed(voters: readonly Person[], { by = office.people.ada, key = office.keys.free, change, committed }: Agreed = {}) {
  const { keyId, publicKeyHex } = key.sealed;
  const content = {
    v: 1,
    org: ORG,
    activityKind: 'Keys:Export',
    activityId: 'cr-1',
    envelope: {
      ...{ kind: 'KeyExport', operationKind: 'Create', entityId: keyId, baseVersion: 1, requester: by.userId },
      change: {
        ...{ keyId, publicKey: publicKeyHex, scheme: 'ECDSA', curve: 'secp256k1' },
        ...{ encryptionKey: to(), supportedSchemes: SCHEMES, requestDigest: 'ab'.repeat(32), ...change },
      },
    },
    policies: [{ id: POLICY, version: 1 }],
    groups: [{ policyId: POLICY, groupId: 'grp-9', name: null, quorum: 2, voterIds: voterIds(), denierIds: [] }],
    credentials: [],
    ...committed,
  };
  const text = JSON.stringify(content);
  const approval = { approvalId: 'ap-1', digest: digestOf(JSON.parse(text)) };
  const signed = { expiresMs: office.clock.nowMs + MINUTE_MS };
  return [
    { kind: 'Approval' as const, ...approval, committed: text },
    ...voters.map((voter) => voteOf(voter, approval, 'Approved', signed)),
  ];
}

const order = (evidence: readonly Evidence[], changes: Partial<ExportKeyOrder> = {}): ExportKeyOrder => ({
  ...{ requestId: 'kr-1', ...rowsOf(office.keys.free), recipientKey: to(), changeRequestId: 'cr-1' },
  ...moment(),
  evidence: [...evidence],
  ...changes,
});
const exported = (...given: Parameters<typeof order>) => office.signer.exportKey(order(...given));
const wait = (ms = WAIT_MS) => {
  office.clock.nowMs = NOW_MS + ms;
};
/** Both officers have approved, and the wait is over. */
function ripe(agreement: Agreed = {}) {
  const { ben, cyd } = office.people;
  const votes = agreed([ben, cyd], agreement);
  wait();
  return votes;
}

test('a key is exported after two officers have approved exactly this export and the wait is over', async () => {
  await adopt();
  const votes = ripe();
  const { encryptedShare } = await exported([asking(office.people.ada), ...votes]);
  const { publicKeyHex } = office.keys.free.sealed;
  const info = exportInfo({ orgId: ORG, curve: 'secp256k1', publicKeyHex });
  expect(await openShare(recipient.secret, info, Buffer.from(encryptedShare, 'base64'))).toHaveLength(32);
  expect(office.signer.keyLog.isExported(office.keys.free.sealed)).toBe(true);
  wait(0);
  await expect(office.signer.signTransfer(office.transfer(office.people.ada))).rejects.toEqual(refusedAs('KeyExported'));
});

test('the path may contain the wallet of the key, and a member may repeat the same export with a new action', async () => {
  await adopt();
  const votes = ripe();
  const path = `/wallets/${office.charter.wallets[0]?.id}/export`;
  await expect(exported([asking(office.people.ada, { path }), ...votes])).resolves.toBeDefined();
  await expect(exported([asking(office.people.ada), ...votes], { requestId: 'kr-2' })).resolves.toBeDefined();
});

test('one signed action permits one export, and the repeated order gets the key once more', async () => {
  await adopt();
  const evidence = [asking(office.people.ada), ...ripe()];
  await exported(evidence);
  await expect(exported(evidence)).resolves.toBeDefined();
  await expect(exported(evidence, { requestId: 'kr-2' })).rejects.toEqual(refusedAs('ActionUsed'));
  await office.signer.close();
  const reopened = await office.open();
  await expect(reopened.exportKey(order(evidence, { requestId: 'kr-3' }))).rejects.toEqual(refusedAs('ActionUsed'));
  await reopened.close();
  office = await openChartered();
});

test('each vote must be as old as the charter demands, to the millisecond', async () => {
  await adopt();
  const { ada, ben, cyd } = office.people;
  const first = agreed([ben]);
  wait(1);
  const [, late] = agreed([cyd]);
  wait();
  await expect(exported([asking(ada), ...first, ...(late ? [late] : [])])).rejects.toEqual(refusedAs('VotesMissing'));
  wait(WAIT_MS + 1);
  await expect(exported([asking(ada), ...first, ...(late ? [late] : [])])).resolves.toBeDefined();
});

test.each([
  ['with one vote too few', () => agreed([office.people.ben]), 'VotesMissing'],
  ['with a vote by a person outside the group', () => agreed([office.people.ben, office.people.ada]), 'VotesMissing'],
  ['without an approval', () => [], 'ApprovalMissing'],
  [
    'to a recipient that was not approved',
    () => ripe({ change: { encryptionKey: to(Buffer.alloc(32, 9)) } }),
    'ApprovalMismatch',
  ],
  ['of a key that was not approved', () => ripe({ key: office.keys.held }), 'ApprovalMismatch'],
  [
    'of a key that the approvers saw under the id of another key',
    () => ripe({ change: { keyId: 'key-held' } }),
    'ApprovalMismatch',
  ],
  ['of a public key that was not approved', () => ripe({ change: { publicKey: 'ab' } }), 'ApprovalMismatch'],
  ['that another person requested', () => ripe({ by: office.people.bot }), 'ApprovalMismatch'],
  ['under the approval for another change', () => ripe({ committed: { activityId: 'cr-2' } }), 'ApprovalMismatch'],
  ['under an approval for a transfer', () => ripe({ committed: { activityKind: 'Wallets:Sign' } }), 'ApprovalMismatch'],
  ['under an approval from another organisation', () => ripe({ committed: { org: 'or-2' } }), 'ApprovalMismatch'],
] as const)('an export %s is refused', async (_name, votes, reason) => {
  await adopt();
  const evidence = votes();
  wait();
  await expect(exported([asking(office.people.ada), ...evidence])).rejects.toEqual(refusedAs(reason));
  expect(office.signer.keyLog.isExported(office.keys.free.sealed)).toBe(false);
});

test.each([
  ['for another recipient', () => asking(office.people.ada, { body: bodyFor(to(Buffer.alloc(32, 9))) }), 'RequestMismatch'],
  ['for another key', () => asking(office.people.ada, { path: '/keys/key-held/export' }), 'RequestMismatch'],
  ['for another wallet', () => asking(office.people.ada, { path: `/wallets/${HELD_WALLET_ID}/export` }), 'RequestMismatch'],
  ['for a shared secret', () => asking(office.people.ada, { path: '/keys/key-free/derive' }), 'RequestMismatch'],
  [
    'with an additional member in the body',
    () => asking(office.people.ada, { body: bodyFor().replace('{', '{"x":1,') }),
    'RequestMismatch',
  ],
  [
    'with the recipient twice',
    () => asking(office.people.ada, { body: bodyFor().replace('{', '{"encryptionKey":"",') }),
    'RequestMismatch',
  ],
  [
    'that is a day and a millisecond old',
    () => asking(office.people.ada, { anchor: office.anchorAt(NOW_MS - 1), expiresMs: NOW_MS }),
    'ActionTooOld',
  ],
  ['without an anchor', () => asking(office.people.ada, { anchor: null }), 'ActionNotAnchored'],
] as const)('an export is refused if the request is one %s', async (_name, ask, reason) => {
  await adopt();
  const votes = ripe();
  await expect(exported([ask(), ...votes])).rejects.toEqual(refusedAs(reason));
});

test('no key is exported if the charter has no rule for exports', async () => {
  await office.adopt();
  await expect(exported([asking(office.people.ada), ...ripe()])).rejects.toEqual(refusedAs('NotWithCharter'));
});

test('no key is exported by a credential that may not request an export', async () => {
  const { charter, people } = office;
  const operations = people.ada.credential.operations.filter((one) => one !== 'exportKey');
  const members = charter.members.map((member) =>
    member.userId === people.ada.userId ? { ...member, credentials: [{ ...people.ada.credential, operations }] } : member,
  );
  await office.adopt({ ...charter, members, exports: { waitHours: WAIT_HOURS, policies: [policyOf()] } });
  await expect(exported([asking(people.ada), ...ripe()])).rejects.toEqual(refusedAs('NotPermitted'));
});

test('no key is exported without a policy that holds the export', async () => {
  await adopt({ mode: 'Shadow' });
  await expect(exported([asking(office.people.ada), ...ripe()])).rejects.toEqual(refusedAs('ApprovalMissing'));
});

test('no key is exported if a policy blocks exports', async () => {
  await adopt({ action: { kind: 'Block' } });
  await expect(exported([asking(office.people.ada), ...ripe()])).rejects.toEqual(refusedAs('PolicyBlocked'));
});

test('votes are accepted until the grant of the service has lapsed, and no longer', async () => {
  const groups = [{ id: 'grp-9', quorum: 2, approvers: { userId: { in: voterIds() } } }];
  await adopt({ action: { kind: 'RequestApproval', approvalGroups: groups, autoRejectTimeout: 60 } });
  const votes = ripe();
  // The sum of the wait, a day for the grant, an hour for the decision, and twelve minutes for the actions themselves.
  const latestMs = WAIT_MS + 24 * HOUR_MS + HOUR_MS + 12 * MINUTE_MS;
  const { ada } = office.people;
  wait(latestMs + 2 * MINUTE_MS);
  await expect(exported([asking(ada), ...votes])).rejects.toEqual(refusedAs('VotesMissing'));
  wait(latestMs - MINUTE_MS);
  await expect(exported([asking(ada), ...votes])).resolves.toBeDefined();
});

describe('a shared secret', () => {
  const BODY = { domain: '0xABcd', seed: 'Ef' };
  let key: CreatedKey;
  beforeEach(async () => {
    key = await office.signer.createKey({ ...keyOrder('key-dh'), scheme: 'DH' });
    await office.adopt();
  });
  const derived = (evidence: readonly Evidence[], changes: object = {}) =>
    office.signer.deriveShared({
      ...{ requestId: 'kr-1', ...rowsOf(key), domainHex: '0xabcd', seedHex: '0xef', ...moment() },
      ...{ evidence: [...evidence], ...changes },
    });
  const request = (said: Partial<Said> = {}) =>
    asking(office.people.ada, { path: '/keys/key-dh/derive', body: JSON.stringify(BODY), ...said });

  test('is computed if a member requested exactly this secret', async () => {
    await expect(derived([request()])).resolves.toEqual({ outputHex: expect.stringMatching(/^0x0[23][0-9a-f]{64}$/) });
  });

  test.each([
    ['no member requested it', () => [], {}, 'InitiatorMissing'],
    ['the domain differs', () => [request()], { domainHex: '0xabce' }, 'RequestMismatch'],
    ['the seed differs', () => [request()], { seedHex: '0x' }, 'RequestMismatch'],
    ['the key differs', () => [request({ path: '/keys/key-free/derive' })], {}, 'RequestMismatch'],
    ['the request was for an export', () => [request({ path: '/keys/key-dh/export' })], {}, 'RequestMismatch'],
    [
      'the request is older than a day',
      () => [request({ anchor: office.anchorAt(NOW_MS - 24 * HOUR_MS - 1) })],
      {},
      'ActionMismatch',
    ],
  ] as const)('is refused if %s', async (_name, evidence, changes, reason) => {
    await expect(derived(evidence(), changes)).rejects.toEqual(refusedAs(reason));
  });
});

test('an order for another key with the same approval is refused', async () => {
  await adopt();
  const votes = ripe();
  const { held } = office.keys;
  await expect(exported([asking(office.people.ada), ...votes], rowsOf(held))).rejects.toEqual(refusedAs('RequestMismatch'));
  const asked = asking(office.people.ada, { path: `/keys/${held.sealed.keyId}/export` });
  await expect(exported([asked, ...votes], rowsOf(held))).rejects.toEqual(refusedAs('ApprovalMismatch'));
});
