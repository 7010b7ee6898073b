import { ALTERED } from '../../../application/approvals/what-was-approved';
import { evmCodecOf } from '../../../chains/codecs';
import type { ApprovalGroup as Group } from '../../../domain/approvals';
import { approvalStore } from '../../../entities/approvals/approval.store';
import { ApprovalVoteEntity } from '../../../entities/approvals/approval-vote.entity';
import { credentialStore } from '../../../entities/credentials/credential.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { createKeyCredential } from '../../support/key-credentials';
import { askFor, RECIPIENT } from '../../support/policies';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';

const THIEF = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ASK = askFor([{ name: 'Finance', quorum: 1, approvers: {} }]);

let database: TestDatabase;
let steps: TransferSteps;
let approver: Actor;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  approver = await createActor(database.db, steps.orgId);
});

const ask = () => insertPolicy(database.db, steps.orgId, { action: ASK });
/** A direct write with the database role of the application. */
const forge = (sql: string, values: readonly unknown[] = []) => database.db.withOrg(steps.orgId, (tx) => tx.query(sql, values));
const requested = (set: Partial<OutgoingEntity> = {}) => steps.transfer({ state: 'Requested', policyEpoch: null, ...set });
const call = () => {
  const terms = evmCodecOf('EthereumSepolia').termsOf({ to: RECIPIENT, data: '0xc0ffee' }, steps.address, 'body');
  return { form: 'Transaction', terms, assetKind: 'Call', amountUnits: '0' } as const;
};
async function held(id: string): Promise<string> {
  const judged = await steps.evaluate(id);
  if (judged.outcome !== 'Held') throw new Error(`the transfer is ${judged.outcome}`);
  return judged.approvalId;
}
const approve = (approvalId: string) => vote(database.db, approver, approvalId, 'Approved');
const read = (id: string, approvalId: string) => steps.holds.readHold({ orgId: steps.orgId, transferId: id }, approvalId);

const failed = async (id: string, reason: string) => {
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason });
  expect(steps.orders).toEqual([]);
  expect(await steps.claims()).toEqual([]);
  expect(steps.altered).toEqual([reason]);
};
const endedAtRelease = async (id: string, reason: string) => {
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Ended', state: 'Failed' });
  await failed(id, reason);
};

describe('a transfer that was altered in the database is not signed', () => {
  const CHANGES: Readonly<Record<string, { readonly sql: string; readonly of?: () => Partial<OutgoingEntity> }>> = {
    recipient: { sql: `to_address = '${THIEF}'` },
    amount: { sql: `amount_units = amount_units * 5` },
    asset: { sql: `asset_kind = 'Erc20', contract = '${THIEF}'` },
    'fee ceiling': { sql: 'fee_ceiling_units = fee_ceiling_units * 2' },
    memo: { sql: `options = '{"memo":"other"}'` },
    'travel rule digest': { sql: `travel_rule_digest = repeat('0', 64)` },
    'call data': { sql: `terms = jsonb_set(terms, '{call,data}', '"0xdeadbeef"')`, of: call },
    'terms of a nonce': { sql: `terms = terms || '{"nonce":7}'`, of: call },
  };
  const change = (id: string, what: string) => forge(`UPDATE transfers SET ${CHANGES[what]?.sql} WHERE id = $1`, [id]);
  const make = (what: string) => requested(CHANGES[what]?.of?.());
  const EACH = Object.keys(CHANGES);

  test.each(EACH)('%s altered before people approve', async (what) => {
    await ask();
    const id = await make(what);
    const approvalId = await held(id);
    await change(id, what);
    await approve(approvalId);
    await read(id, approvalId);
    await endedAtRelease(id, ALTERED.content);
  });

  test.each(EACH)('%s altered after the approval and before the release', async (what) => {
    await ask();
    const id = await make(what);
    const approvalId = await held(id);
    await approve(approvalId);
    await change(id, what);
    await endedAtRelease(id, ALTERED.content);
  });

  const released = async (what: string): Promise<string> => {
    await ask();
    const id = await make(what);
    await approve(await held(id));
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    return id;
  };
  const cleared = async (what: string): Promise<string> => {
    const id = await make(what);
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    return id;
  };
  const BASES = [
    ['approved', released, ALTERED.content],
    ['cleared without approval', cleared, ALTERED.verdict],
  ] as const;
  const CASES = BASES.flatMap(([how, reach, reason]) => EACH.map((what) => [how, what, reach, reason] as const));

  test.each(CASES)('%s: %s altered between release and claim', async (_how, what, reach, reason) => {
    const id = await reach(what);
    await change(id, what);
    expect(await steps.prepare(id)).toBe('Failed');
    await failed(id, reason);
  });

  test.each(CASES)('%s: %s altered between claim and signing', async (_how, what, reach, reason) => {
    const id = await reach(what);
    expect(await steps.prepare(id)).toBe('Ready');
    await change(id, what);
    expect(await steps.signTransfer(id)).toBe('Refused');
    await failed(id, reason);
  });

  test('a transfer with the verdict of another transfer fails', async () => {
    const [id, other] = [await cleared('amount'), await cleared('amount')];
    await forge('UPDATE transfers SET verdict_id = (SELECT verdict_id FROM transfers WHERE id = $2) WHERE id = $1', [id, other]);
    expect(await steps.prepare(id)).toBe('Failed');
    await failed(id, ALTERED.verdict);
  });

  test('a row altered into a speed-up of an unrelated approved payment is judged by itself', async () => {
    const first = await released('amount');
    await steps.send(first);
    const [second, other] = [await requested(), await requested()];
    const rival = `replacement_kind = 'SpeedUp', replaces_id = $2, claims_of = $3`;
    await forge(`UPDATE transfers SET form = 'Transaction', ${rival} WHERE id = $1`, [second, first, other]);
    expect(await steps.evaluate(second)).toMatchObject({ outcome: 'Held' });
  });

  test('a row whose approval id was removed still needs an approval', async () => {
    await ask();
    const id = await requested();
    await held(id);
    await forge(`UPDATE transfers SET state = 'Approved', approval_id = NULL, policy_epoch = 2 WHERE id = $1`, [id]);
    expect(await steps.prepare(id)).toBe('PolicyChanged');
    expect(await steps.evaluate(id)).toMatchObject({ outcome: 'Held' });
    expect(steps.orders).toEqual([]);
  });
});

describe('only votes that their voters signed count towards an approval', () => {
  let id: string;
  let approvalId: string;
  beforeEach(async () => {
    await ask();
    id = await requested();
    approvalId = await held(id);
  });
  const setApproved = () => forge(`UPDATE approvals SET status = 'Approved' WHERE id = $1`, [approvalId]);
  const insertVote = (userActionId: string) =>
    database.db.withOrg(steps.orgId, (tx) =>
      tx.insert(ApprovalVoteEntity, {
        ...{ orgId: steps.orgId, approvalId, userId: approver.caller.userId, value: 'Approved', reason: null, userActionId },
        dateCreated: new Date(),
      }),
    );
  const consumed = (actionId: string) =>
    database.arrange('UPDATE user_actions SET date_consumed = clock_timestamp() WHERE id = $1', [actionId]);
  const path = () => `/v2/policy-approvals/${approvalId}/decisions`;
  const digest = async () => (await approvalStore.find(database.db.read(steps.orgId), approvalId))?.digest ?? null;

  test('an approval whose status alone was set to Approved releases nothing', async () => {
    await setApproved();
    await endedAtRelease(id, ALTERED.votes);
  });

  test.each(['/v2/at', '/at', '/v2/at/', '/at/'])(
    'a vote is accepted for every form of the path that the API serves: %s',
    async (form) => {
      const place = form.replace('at', `policy-approvals/${approvalId}/decisions`);
      await vote(database.db, approver, approvalId, 'Approved', { path: place });
      expect(await steps.evaluate(id)).toMatchObject({ outcome: 'Cleared' });
      expect(steps.altered).toEqual([]);
    },
  );

  test('a transfer that was given the approval of another transfer is not signed', async () => {
    const other = await requested();
    await approve(await held(other));
    await steps.evaluate(other);
    await setApproved();
    await forge('UPDATE transfers SET approval_id = $2 WHERE id = $1', [other, approvalId]);
    expect(await steps.prepare(other)).toBe('Failed');
    await failed(other, ALTERED.content);
  });

  test.each([
    [
      'that signed different content',
      async () => (await approver.authority({ path: path(), approvalDigest: '0'.repeat(64) })).action,
    ],
    [
      'for a different API request',
      async () => (await approver.authority({ path: '/v2/policies', approvalDigest: await digest() })).action,
    ],
    [
      'that another user signed',
      async () =>
        (await (await createActor(database.db, steps.orgId)).authority({ path: path(), approvalDigest: await digest() })).action,
    ],
  ])('a vote inserted into the database is not accepted with a user action %s', async (_which, action) => {
    const actionId = (await action())?.id ?? '';
    await consumed(actionId);
    await insertVote(actionId);
    await setApproved();
    await endedAtRelease(id, ALTERED.votes);
  });

  test('a vote with a user action that was signed and never used is not accepted', async () => {
    const { action } = await approver.authority({ path: path(), approvalDigest: await digest() });
    await insertVote(action?.id ?? '');
    await setApproved();
    await endedAtRelease(id, ALTERED.votes);
  });

  test('a vote with an invalid signature is not accepted', async () => {
    await approve(approvalId);
    await database.arrange(`UPDATE user_actions SET signature = 'AAAA' WHERE user_id = $1`, [approver.caller.userId]);
    await endedAtRelease(id, ALTERED.votes);
  });

  test('bytes are not signed when a vote becomes invalid after the claim', async () => {
    await approve(approvalId);
    await steps.evaluate(id);
    expect(await steps.prepare(id)).toBe('Ready');
    await database.arrange(`UPDATE user_actions SET approval_digest = repeat('0', 64) WHERE user_id = $1`, [
      approver.caller.userId,
    ]);
    expect(await steps.signTransfer(id)).toBe('Refused');
    await failed(id, ALTERED.votes);
  });

  test('groups that were rewritten in the row are not accepted', async () => {
    await forge(`UPDATE approvals SET status = 'Approved', groups = jsonb_set(groups, '{0,quorum}', '0') WHERE id = $1`, [
      approvalId,
    ]);
    await endedAtRelease(id, ALTERED.votes);
  });

  test('a quorum of zero is refused, even with a digest recomputed to match', async () => {
    const row = await approvalStore.find(database.db.read(steps.orgId), approvalId);
    const committed = { ...row?.committed, groups: row?.groups.map((group) => ({ ...group, quorum: 0 })) };
    await forge(`UPDATE approvals SET status = 'Approved', committed = $2, digest = $3 WHERE id = $1`, [
      ...[approvalId, JSON.stringify(committed), digestOf(JSON.parse(JSON.stringify(committed)))],
    ]);
    await endedAtRelease(id, ALTERED.votes);
  });

  test.each<[string, (groups: readonly Group[]) => readonly Group[]]>([
    ['asks for fewer votes', (groups) => groups.map((group) => ({ ...group, quorum: 1 }))],
    [
      'asks a user whom the policy does not name',
      (groups) => groups.map((group) => ({ ...group, voterIds: [...group.voterIds, 'us-other'] })),
    ],
    ['leaves a group out', (groups) => groups.filter(({ quorum }) => quorum === 1)],
  ])('an approval rewritten so that it %s is requested again, although people have approved it', async (_what, rewrite) => {
    const others = [await createActor(database.db, steps.orgId), await createActor(database.db, steps.orgId)];
    const approvers = { userId: { in: [approver, ...others].map(({ caller }) => caller.userId) } };
    await insertPolicy(database.db, steps.orgId, { action: askFor([{ name: 'Two', quorum: 2, approvers }]) });
    const asked = await requested();
    const rewritten = await held(asked);
    const row = await approvalStore.find(database.db.read(steps.orgId), rewritten);
    const groups = rewrite(row?.groups ?? []);
    const committed = JSON.parse(JSON.stringify({ ...row?.committed, groups }));
    await forge('UPDATE approvals SET groups = $2, committed = $3, digest = $4 WHERE id = $1', [
      ...[rewritten, JSON.stringify(groups), JSON.stringify(committed), digestOf(committed)],
    ]);
    await approve(rewritten);
    for (const one of others) await vote(database.db, one, rewritten, 'Approved').catch(() => undefined);
    await read(asked, rewritten);
    expect(await steps.evaluate(asked)).toMatchObject({ outcome: 'Held', approvalId: expect.not.stringMatching(rewritten) });
    expect(steps.orders).toEqual([]);
  });

  test('a vote is not accepted when its key replaced the voter’s key after the request', async () => {
    const key = createKeyCredential();
    const { credentialUuid } = approver;
    await forge('UPDATE credentials SET public_key = $2, credential_id = $3 WHERE id = $1', [
      ...[credentialUuid, key.publicKeyPem, key.credId],
    ]);
    const credential = { id: credentialUuid, key };
    // The service refuses the vote. The test then inserts the vote into the database.
    await expect(vote(database.db, approver, approvalId, 'Approved', { credential })).rejects.toMatchObject({
      code: 'Forbidden',
    });
    const { action } = await approver.authority({ path: path(), approvalDigest: await digest(), credential });
    await consumed(action?.id ?? '');
    await insertVote(action?.id ?? '');
    await setApproved();
    await endedAtRelease(id, ALTERED.votes);
  });

  test('a credential that the voter added after the request can deny but not approve', async () => {
    const credential = { id: newId('credential'), key: createKeyCredential() };
    await database.db.withOrg(steps.orgId, (tx) =>
      credentialStore.add(tx, {
        ...{ id: credential.id, userId: approver.caller.userId, kind: 'Key', name: 'New', credentialId: credential.key.credId },
        ...{ publicKey: credential.key.publicKeyPem, encryptedPrivateKey: null, secret: null, signCount: '0', lastStep: null },
        ...{ relyingPartyId: 'localhost', origin: 'http://localhost', isTokenBound: false },
      }),
    );
    await expect(vote(database.db, approver, approvalId, 'Approved', { credential })).rejects.toMatchObject({
      code: 'Forbidden',
    });
    await vote(database.db, approver, approvalId, 'Denied', { credential });
    expect(await read(id, approvalId)).toMatchObject({ status: 'Denied' });
  });

  test('an unaltered approval leads to a signature', async () => {
    await approve(approvalId);
    await read(id, approvalId);
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    expect(await steps.prepare(id)).toBe('Ready');
    expect(await steps.signTransfer(id)).toBe('Signed');
    expect(steps.altered).toEqual([]);
  });
});
