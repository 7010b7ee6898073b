import { createFreezeActivities } from '../../../activities/freezes/freezes';
import { ALTERED } from '../../../application/approvals/what-was-approved';
import { reviewChange } from '../../../application/change-requests/release';
import { createFreeze, getFreeze, releaseFreeze } from '../../../application/freezes/request-freeze';
import { endExpired } from '../../../application/outgoing/end/expired-transfers';
import type { FreezeTarget } from '../../../domain/freezes';
import type { Database } from '../../../entities/database';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { FrozenActivityEntity } from '../../../entities/freezes/frozen-activity.entity';
import { keyStore } from '../../../entities/keys/key.store';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { newId } from '../../../platform/ids';
import type { ReleaseFreezeOrder, SetFreezeOrder } from '../../../signer/orders/freeze-orders';
import { type Actor, createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { askFor } from '../../support/policies';
import { RELEASING } from '../../support/releasing';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';

/** This hook runs after each read of a freeze. */
let afterLook: () => Promise<unknown> = async () => undefined;
const watched = (db: Database): Database => ({
  ...db,
  withOrg: (orgId, work) =>
    db.withOrg(orgId, (tx) => {
      const row: typeof tx.row = async (entity, tail, values) => {
        const found = await tx.row(entity, tail, values);
        if (entity.name === FreezeEntity.name) await afterLook();
        return found;
      };
      return work({ ...tx, row });
    }),
});

/** A promise, and the function that fulfils the promise. */
function opener() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

let database: TestDatabase;
let steps: TransferSteps;
let actor: Actor;
let keyId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(watched(database.db), await database.createOrganization());
  actor = await createActor(database.db, steps.orgId);
  afterLook = async () => undefined;
  await database.db.withOrg(steps.orgId, (tx) =>
    tx.query('UPDATE organizations SET policy_epoch = 1 WHERE id = $1', [steps.orgId]),
  );
  keyId = (await reader().row(WalletEntity, 'WHERE t.id = $1', [steps.walletId]))?.keyId ?? '';
});

const reader = () => database.db.read(steps.orgId);
const services = () => ({
  db: database.db,
  dispatcher: { tryNow: async () => undefined, carryOut: async () => undefined, execute: () => Promise.reject(new Error()) },
});
const freeze = async (kind: FreezeTarget = 'Wallet', id?: string) => {
  const target = {
    kind,
    id: id ?? { Wallet: steps.walletId, Key: keyId, Network: 'EthereumSepolia', Organization: undefined }[kind],
  };
  return (await createFreeze(services(), await actor.authority(), { target, reason: 'wrong' })).id;
};
const release = async (freezeId: string) =>
  releaseFreeze(
    services(),
    await actor.authority({ method: 'DELETE', path: `/freezes/${freezeId}`, approvalDigest: null }),
    freezeId,
  );
/** Evidence contains only user actions with a credential. The actions of these tests lack a credential until this update. */
const signActions = () =>
  database.arrange(
    `UPDATE user_actions SET credential_uuid = $2, first_factor_kind = 'Key' WHERE org_id = $1 AND credential_uuid IS NULL`,
    [steps.orgId, newId('credential')],
  );
const waiting = async () =>
  (await reader().rows(FrozenActivityEntity, 'ORDER BY t.activity_id')).map(({ activityId }) => activityId);

test.each<FreezeTarget>(['Wallet', 'Key', 'Network', 'Organization'])(
  'a freeze of the %s stops a transfer before its judgement, and the release wakes exactly that transfer',
  async (kind) => {
    const id = await steps.transfer({ state: 'Requested', policyEpoch: null });
    const freezeId = await freeze(kind);
    const frozen = { outcome: 'Frozen', freezeId };
    expect([await steps.evaluate(id), await steps.evaluate(id)]).toEqual([frozen, frozen]);
    expect(await steps.row(id)).toMatchObject({ state: 'Requested', verdictId: null });
    expect(await waiting()).toEqual([id]);
    const bystander = await steps.transfer({ state: 'Requested', policyEpoch: null });
    await release(freezeId);
    expect([await steps.signals(id), await steps.signals(bystander), await steps.signals(freezeId)]).toEqual([
      ['freezeChanged'],
      [],
      ['freezeChanged'],
    ]);
    expect(await waiting()).toEqual([]);
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
  },
);

test('a transfer judged before the freeze goes back to be judged and is not signed under the old verdict', async () => {
  const id = await steps.transfer();
  const freezeId = await freeze();
  expect(await steps.prepare(id)).toBe('PolicyChanged');
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Frozen', freezeId });
  expect(await steps.claims()).toEqual([]);
});

test('a freeze that commits while a transfer is judged makes the epoch of its verdict stale', async () => {
  const id = await steps.transfer({ state: 'Requested', policyEpoch: null });
  const [looked, frozen] = [opener(), opener()];
  // Another connection writes the freeze, so the test awaits the freeze outside of the transaction of the judgement.
  const freezing = looked.opened.then(() => freeze()).then(frozen.open);
  afterLook = async () => {
    looked.open();
    await frozen.opened;
  };
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
  await freezing;
  expect(await steps.prepare(id)).toBe('PolicyChanged');
  afterLook = async () => undefined;
  expect(await steps.evaluate(id)).toMatchObject({ outcome: 'Frozen' });
});

test('a transfer that is frozen in Signing is not sent to the signer, stays in Signing and continues after the release', async () => {
  const id = await steps.transfer();
  expect(await steps.prepare(id)).toBe('Ready');
  const freezeId = await freeze('Key');
  expect([await steps.signTransfer(id), await steps.signTransfer(id)]).toEqual([{ frozenBy: freezeId }, { frozenBy: freezeId }]);
  expect(steps.orders).toEqual([]);
  expect(await steps.row(id)).toMatchObject({ state: 'Signing' });
  await release(freezeId);
  expect(await steps.signals(id)).toEqual(['freezeChanged']);
  // A freeze raises the epoch, so the transfer is judged again. The transfer keeps its nonce.
  expect(await steps.signTransfer(id)).toBe('PolicyChanged');
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
  expect(await steps.signTransfer(id)).toBe('Signed');
});

test('a transfer signed before the freeze is not sent until the release, and is then sent once', async () => {
  const id = await steps.transfer();
  await steps.prepare(id);
  await steps.signTransfer(id);
  const freezeId = await freeze('Network');
  expect(await steps.broadcast(id)).toEqual({ frozenBy: freezeId });
  expect(steps.chain.sent).toEqual([]);
  expect(await steps.row(id)).toMatchObject({ state: 'Signed' });
  await release(freezeId);
  expect(await steps.broadcast(id)).toBeUndefined();
  expect(steps.chain.sent).toHaveLength(1);
});

test('a release of one of two freezes leaves a transfer waiting for the other', async () => {
  const id = await steps.transfer({ state: 'Requested', policyEpoch: null });
  const [first, second] = [await freeze('Wallet'), await freeze('Organization')];
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Frozen', freezeId: first });
  await release(second);
  expect(await steps.signals(id)).toEqual([]);
  const third = await freeze('Network');
  await release(first);
  expect(await steps.signals(id)).toEqual(['freezeChanged']);
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Frozen', freezeId: third });
  expect(await waiting()).toEqual([id]);
});

test('a freeze of wallet or sponsor stops a sponsored transfer, and a freeze of the sponsor does not stop any other transfer', async () => {
  const sponsor = await createTransferSteps(database.db, steps.orgId);
  const feeSponsorId = newId('feeSponsor');
  const paying = {
    name: null,
    walletId: sponsor.walletId,
    network: 'EthereumSepolia',
    allowEndUser: false,
    userActionId: '',
  } as const;
  await database.db.withOrg(steps.orgId, (tx) => feeSponsorStore.add(tx, { id: feeSponsorId, ...paying }));
  const paid = { feeSponsorId, sponsorAddress: sponsor.address, state: 'Requested', policyEpoch: null } as const;
  const [sponsored, alone] = [await steps.transfer(paid), await steps.transfer({ state: 'Requested', policyEpoch: null })];
  const signed = await steps.transfer({ ...paid, state: 'Signed', policyEpoch: 1 });
  const sponsorKey = (await reader().row(WalletEntity, 'WHERE t.id = $1', [sponsor.walletId]))?.keyId;
  for (const [kind, target] of [['Key', sponsorKey] as const, ['Wallet', steps.walletId] as const]) {
    const freezeId = await freeze(kind, target);
    expect(await steps.evaluate(sponsored)).toEqual({ outcome: 'Frozen', freezeId });
    expect(await steps.broadcast(signed)).toEqual({ frozenBy: freezeId });
    if (kind === 'Key') expect(await steps.evaluate(alone)).toEqual({ outcome: 'Cleared' });
    await release(freezeId);
  }
});

test('a freeze of another wallet or network does not stop a transfer', async () => {
  const other = newId('wallet');
  const { orgId: _org, ...wallet } = (await reader().row(WalletEntity, 'WHERE t.id = $1', [steps.walletId])) as WalletEntity;
  await database.db.withOrg(steps.orgId, (tx) =>
    tx.insert(WalletEntity, { ...wallet, orgId: steps.orgId, id: other, network: 'KeyECDSA', address: null }),
  );
  await freeze('Wallet', other);
  await freeze('Network', 'Ethereum');
  const id = await steps.transfer({ state: 'Requested', policyEpoch: null });
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
});

test('S18: the service freezes a key once when it finds bytes that were not signed here, and people release the key', async () => {
  const loose = async () => {
    const id = await steps.transfer();
    await steps.send(id);
    return { transferId: id, orgId: steps.orgId, id: (await steps.payload(id)).id };
  };
  const [lapsed, taken, later] = [await loose(), await loose(), await loose()];
  const end = (payload: typeof taken, isForeign: boolean) => endExpired(database.db, payload, { reason: 'gone', isForeign });
  expect(await end(lapsed, false)).toBe('Ended');
  expect(await reader().rows(FreezeEntity, '')).toEqual([]);
  expect([await end(taken, true), await end(taken, true), await end(later, true)]).toEqual(['Foreign', undefined, 'Foreign']);
  const freezes = await reader().rows(FreezeEntity, '');
  expect(freezes).toMatchObject([{ targetKind: 'Key', targetId: keyId, createdBy: null, userActionId: null }]);
  const freezeId = freezes[0]?.id ?? '';
  const shown = await getFreeze(reader(), freezeId);
  expect(shown).toMatchObject({ status: 'Active', reason: expect.stringContaining(taken.transferId) });
  expect(shown).not.toHaveProperty('requester');
  expect(await steps.events(freezeId)).toEqual(['freeze.created 1']);

  const orders: { readonly target?: unknown; readonly evidence: readonly unknown[] }[] = [];
  const take = async (order: SetFreezeOrder | ReleaseFreezeOrder) => ({ standing: orders.push(order) === 1 });
  const { applyFreeze } = createFreezeActivities({
    ...APPROVING,
    db: database.db,
    signer: { setFreeze: take, releaseFreeze: take },
  });
  expect(await applyFreeze({ orgId: steps.orgId, freezeId })).toBe('Standing');
  await release(freezeId);
  await signActions();
  expect(await applyFreeze({ orgId: steps.orgId, freezeId })).toBe('Released');
  expect(orders).toMatchObject([{ target: { kind: 'Key', keyId }, evidence: [] }, { evidence: [{ kind: 'Initiator' }] }]);
});

describe('the signer', () => {
  const orders: (SetFreezeOrder | ReleaseFreezeOrder)[] = [];
  const altered: string[] = [];
  const apply = (freezeId: string) => {
    const signer = {
      setFreeze: async (order: SetFreezeOrder) => ({ standing: orders.push(order) > 0 }),
      releaseFreeze: async (order: ReleaseFreezeOrder) => ({ standing: orders.push(order) < 0 }),
    };
    const onAltered = (_record: object, why: string) => void altered.push(why);
    return createFreezeActivities({ ...APPROVING, onAltered, db: database.db, signer }).applyFreeze({
      ...{ orgId: steps.orgId, freezeId },
    });
  };
  const row = (freezeId: string) => reader().row(FreezeEntity, 'WHERE t.id = $1', [freezeId]);
  beforeEach(() => [orders.splice(0), altered.splice(0)]);

  test('receives a freeze with its requester as evidence, again on each retry, and the row keeps the time of the first order', async () => {
    const freezeId = await freeze();
    await signActions();
    expect(await apply(freezeId)).toBe('Standing');
    const told = await row(freezeId);
    expect(told).toMatchObject({ dateSignerTold: expect.any(Date), version: 2 });
    expect(await apply(freezeId)).toBe('Standing');
    expect(await row(freezeId)).toEqual(told);
    const key = await keyStore.find(database.db.read(steps.orgId), keyId);
    const publicKey = { curve: 'secp256k1', publicKeyHex: key?.publicKey };
    const target = { kind: 'Wallet', keyId, publicKey, network: 'EthereumSepolia' };
    const evidence = [{ kind: 'Initiator', userId: actor.caller.userId }];
    expect(orders).toMatchObject([{ orgId: steps.orgId, freezeId, target, evidence }, { freezeId }]);
  });

  test('receives the release with its requester and its approver as evidence', async () => {
    const freezeId = await freeze('Organization');
    await insertPolicy(database.db, steps.orgId, {
      activityKind: 'Policies:Modify',
      action: askFor([{ name: 'Anyone', quorum: 1, approvers: {} }]),
    });
    const approver = await createActor(database.db, steps.orgId);
    const changed = await release(freezeId);
    if (!('changeRequest' in changed)) throw new Error('no policy holds the release');
    const { id: changeRequestId, approvalId = '' } = changed.changeRequest;
    expect(await apply(freezeId).catch(() => 'Standing')).toBe('Standing');
    await vote(database.db, approver, approvalId, 'Approved');
    await database.db.withOrg(steps.orgId, (tx) => reviewChange(tx, changeRequestId, RELEASING));
    await signActions();
    orders.splice(0);
    expect(await apply(freezeId)).toBe('Released');
    expect(orders).toMatchObject([
      {
        freezeId,
        evidence: [
          { kind: 'Initiator', userId: actor.caller.userId },
          { kind: 'Approval', approvalId },
          { kind: 'Approver', userId: approver.caller.userId },
        ],
      },
    ]);
    expect(orders[0]).not.toHaveProperty('target');
    expect(await row(freezeId)).toMatchObject({ dateSignerReleased: expect.any(Date), releasedBy: changeRequestId });
  });

  describe('receives no release, and an alarm is raised, when the freeze row is marked as released but', () => {
    /** A direct write with the database role of the application. */
    const forge = (sql: string, values: readonly unknown[] = []) =>
      database.db.withOrg(steps.orgId, (tx) => tx.query(sql, values));
    const other = () => actor.authority({ method: 'DELETE', path: '/freezes/frz-other', approvalDigest: null });
    const changeOf = async (freezeId: string) => (await row(freezeId))?.releasedBy ?? '';

    test.each<[string, (freezeId: string) => Promise<unknown>, string]>([
      [
        'the user action of the release was for a different request',
        async (id) => {
          const { action } = await other();
          await database.arrange('UPDATE user_actions SET date_consumed = clock_timestamp() WHERE id = $1', [action?.id]);
          await forge('UPDATE freezes SET release_action_id = $2 WHERE id = $1', [id, action?.id]);
        },
        ALTERED.content,
      ],
      [
        'the user action of the release was never used',
        async (id) => forge('UPDATE freezes SET release_action_id = $2 WHERE id = $1', [id, (await other()).action?.id]),
        'Its release is unproven: NotConsumed',
      ],
      [
        'its change request still waits',
        async (id) => forge(`UPDATE change_requests SET status = 'Pending' WHERE id = $1`, [await changeOf(id)]),
        ALTERED.content,
      ],
      [
        'its change request has no verdict of the policies',
        async (id) => database.arrange('DELETE FROM verdicts WHERE activity_id = $1', [await changeOf(id)]),
        ALTERED.verdict,
      ],
      [
        'its change request is for a different freeze',
        async (id) => database.arrange(`UPDATE change_requests SET entity_id = 'frz-other' WHERE id = $1`, [await changeOf(id)]),
        ALTERED.content,
      ],
    ])('%s', async (_title, forging, why) => {
      const freezeId = await freeze();
      await release(freezeId);
      await forging(freezeId);
      expect(await apply(freezeId)).toBe('Standing');
      expect([orders, altered]).toEqual([[], [why]]);
    });

    test('its approval lacks the votes', async () => {
      const freezeId = await freeze();
      const action = askFor([{ name: 'Anyone', quorum: 1, approvers: {} }]);
      await insertPolicy(database.db, steps.orgId, { activityKind: 'Policies:Modify', action });
      await createActor(database.db, steps.orgId);
      const changed = await release(freezeId);
      if (!('changeRequest' in changed)) throw new Error('no policy holds the release');
      const { id, approvalId } = changed.changeRequest;
      await forge(`UPDATE approvals SET status = 'Approved' WHERE id = $1`, [approvalId]);
      await forge(`UPDATE change_requests SET status = 'Applied' WHERE id = $1`, [id]);
      await forge(
        `UPDATE freezes SET date_released = clock_timestamp(), released_by = $2,
           release_action_id = (SELECT change ->> 'releaseActionId' FROM change_requests WHERE id = $2) WHERE id = $1`,
        [freezeId, id],
      );
      expect(await apply(freezeId)).toBe('Standing');
      expect([orders, altered]).toEqual([[], [ALTERED.votes]]);
    });
  });
});

test('a freeze starts its own workflow in the transaction that inserts its row', async () => {
  const freezeId = await freeze('Key');
  const rows = await reader().rows(OutboxRowEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'start'`, [freezeId]);
  expect(rows).toMatchObject([{ routing: { workflow: 'freeze' } }]);
  expect((await reader().rows(OutgoingEntity, '')).length).toBe(0);
});
