import { createAmendmentActivities } from '../../../activities/charters/amendments';
import { archivePolicy, createPolicy, updatePolicy } from '../../../application/policies/policies';
import { tagWallet, untagWallet } from '../../../application/wallets/tags';
import type { AmendmentKind } from '../../../domain/amendments';
import { AppError } from '../../../domain/errors';
import { AmendmentEntity } from '../../../entities/charters/amendment.entity';
import { amendmentStore } from '../../../entities/charters/amendment.store';
import { charterStore } from '../../../entities/charters/charter.store';
import { EventEntity } from '../../../entities/events/event.entity';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import type { PolicyContent } from '../../../entities/policies/policy.store';
import { newId } from '../../../platform/ids';
import { createSecretBox } from '../../../platform/secret-box';
import type { SignerClient } from '../../../signer/protocol';
import { type Actor, createActor } from '../../support/actor';
import { addAmendment, seeCharter } from '../../support/charter-rows';
import type { TestDatabase } from '../../support/database';
import { insertWallet } from '../../support/held-activity';
import { eachInItsOrganization } from '../../support/own-organization';

type Order = Parameters<SignerClient['amendCharter']>[0];
const HEAD = { sequence: 2, digest: 'ab'.repeat(32) };
const CONTENT: PolicyContent = {
  ...{ name: 'Ask', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' }, filters: null },
  action: { kind: 'RequestApproval', approvalGroups: [{ name: 'All', quorum: 1, approvers: {} }] },
};

let database: TestDatabase;
let orgId: string;
let actor: Actor;
let orders: Order[];
let warned: string[];
eachInItsOrganization(async (opened, id) => {
  [database, orgId] = [opened, id];
  actor = await createActor(database.db, orgId);
  [orders, warned] = [[], []];
});

const services = () => ({
  db: database.db,
  dispatcher: { tryNow: async () => undefined, carryOut: async () => undefined, execute: () => Promise.reject(new Error()) },
});
const amendments = () => database.db.read(orgId).rows(AmendmentEntity, 'ORDER BY t.ordinal');
const refusal = (reason: string) => new AppError('SignerRefused', 'refused', { reason, nothingSigned: true });
const activities = (answer: (order: Order) => Promise<typeof HEAD> = async () => HEAD, db = database.db) =>
  createAmendmentActivities({
    db,
    signer: {
      amendCharter: (order) => {
        orders.push(order);
        return answer(order);
      },
    },
    signedBodies: createSecretBox(Buffer.alloc(32, 7), 'user-actions'),
    logger: { warn: (_fields: unknown, message?: string) => void warned.push(message ?? '') },
  });
/** An amendment whose action the actor has signed and used. */
async function recorded(kind: AmendmentKind): Promise<string> {
  const { action } = await actor.authority();
  await database.arrange('UPDATE user_actions SET date_consumed = clock_timestamp() WHERE id = $1', [action?.id ?? '']);
  return addAmendment(database.db, orgId, action?.id ?? '', kind);
}
const events = async () =>
  (await database.db.read(orgId).rows(EventEntity, `WHERE kind LIKE 'charter.%' ORDER BY id`)).map(({ kind }) => kind);

describe('changes of policies and tags', () => {
  const change = async () => {
    const { id } = await createPolicy(services(), await actor.authority(), CONTENT);
    await createPolicy(services(), await actor.authority(), { ...CONTENT, activityKind: 'Permissions:Modify' });
    await updatePolicy(services(), await actor.authority(), id, { ...CONTENT, name: 'Ask all' });
    await updatePolicy(services(), await actor.authority(), id, { ...CONTENT, name: 'Ask all' });
    await archivePolicy(services(), await actor.authority(), id);
    await archivePolicy(services(), await actor.authority(), id);
    const walletId = await insertWallet(database.db, orgId);
    for (const by of [tagWallet, tagWallet, untagWallet, untagWallet])
      await by(services() as never, await actor.authority(), walletId, ['hot']);
    return id;
  };

  test('are each recorded once, in order, with the ids and versions that the service assigned', async () => {
    await seeCharter(database.db, orgId);
    const policyId = await change();
    const rows = await amendments();
    const groupIds = [expect.any(String)];
    expect(rows.map(({ kind, given }) => [kind, given])).toEqual([
      ['createPolicy', { policyId, version: 1, groupIds }],
      ['updatePolicy', { version: 1, groupIds }],
      ['archivePolicy', {}],
      ['tagWallet', {}],
      ['untagWallet', {}],
    ]);
    const starts = await database.db.read(orgId).rows(OutboxRowEntity, `WHERE t.aggregate_id = 'amendments-' || t.org_id`);
    expect(starts).toHaveLength(rows.length);
  });

  test('leave no trace in an organisation without a charter', async () => {
    await change();
    expect(await amendments()).toEqual([]);
  });
});

test('the first waiting amendment is offered with its action, and its outcome, the head and the event are written together', async () => {
  const id = await recorded('archiveUser');
  const { offerAmendment } = activities();
  expect(await offerAmendment({ orgId })).toBe('InForce');
  expect(orders).toMatchObject([
    { orgId, amendmentId: id, amendment: { kind: 'archiveUser' }, evidence: [{ kind: 'Initiator' }] },
  ]);
  expect(await amendments()).toMatchObject([{ id, status: 'InForce', ...HEAD }]);
  expect(await charterStore.heads(database.db.read(orgId), { after: undefined, limit: 5 })).toMatchObject([HEAD]);
  expect(await events()).toEqual(['charter.amended']);
  expect(await offerAmendment({ orgId })).toBe('NoneWaits');
});

test('a refused amendment records the reason of the signer, and the next amendment is offered', async () => {
  const [refused, followed] = [await recorded('tagWallet'), await recorded('untagWallet')];
  const { offerAmendment } = activities(({ amendmentId }) =>
    amendmentId === refused ? Promise.reject(refusal('NotPermitted')) : Promise.resolve(HEAD),
  );
  expect([await offerAmendment({ orgId }), await offerAmendment({ orgId })]).toEqual(['Refused', 'InForce']);
  expect(await amendments()).toMatchObject([
    { id: refused, status: 'Refused', reason: 'NotPermitted' },
    { id: followed, status: 'InForce' },
  ]);
  expect(await events()).toEqual(['charter.amendment.refused', 'charter.amended']);
  expect(warned).toEqual(['a change by members is in force in the service but not at the signer']);
});

test('a change that no member may make is refused without asking the signer, and the removal of a credential is offered', async () => {
  await seeCharter(database.db, orgId, 1, { seen: { operations: ['tagWallet'], origins: [] } });
  const [refused, allowed, own] = [
    await recorded('tagWallet'),
    await recorded('createPolicy'),
    await recorded('deleteCredential'),
  ];
  const { offerAmendment } = activities();
  for (const end of ['Refused', 'InForce', 'InForce']) expect(await offerAmendment({ orgId })).toBe(end);
  expect(await amendments()).toMatchObject([{ id: refused, reason: 'NotPermitted' }, { id: allowed }, { id: own }]);
  expect(orders.map(({ amendmentId }) => amendmentId)).toEqual([allowed, own]);
});

test('a wallet of an end user is offered even if no member may create wallets, because this wallet changes no charter', async () => {
  await seeCharter(database.db, orgId);
  const walletId = newId('wallet');
  const [own, personal] = [newId('key'), newId('key')];
  for (const [keyId, delegatedTo] of [
    [own, null],
    [personal, 'us-customer'],
  ] as const) {
    const { action } = await actor.authority();
    await database.arrange('UPDATE user_actions SET date_consumed = clock_timestamp() WHERE id = $1', [action?.id ?? '']);
    const row = { kind: 'createWallet', userActionId: action?.id ?? '', approvalId: null, given: { walletId, keyId } } as const;
    await database.db.withOrg(orgId, async (tx) => {
      await tx.insert(KeyEntity, { orgId, id: keyId, scheme: 'ECDSA', curve: 'secp256k1', status: 'Active', delegatedTo });
      await amendmentStore.add(tx, { id: newId('amendment'), ...row });
    });
  }
  const { offerAmendment } = activities();
  expect([await offerAmendment({ orgId }), await offerAmendment({ orgId })]).toEqual(['Refused', 'InForce']);
  expect(orders).toMatchObject([{ amendment: { kind: 'createWallet', walletId, keyId: personal } }]);
});

test('an amendment waits while the signer is away', async () => {
  const id = await recorded('tagWallet');
  const { offerAmendment } = activities(() => Promise.reject(new AppError('SignerUnavailable', 'away')));
  await expect(offerAmendment({ orgId })).rejects.toMatchObject({ code: 'SignerUnavailable' });
  expect(await amendments()).toMatchObject([{ id, status: 'Waiting' }]);
});

test('after a crash between the signer’s answer and the commit, the same amendment is offered again', async () => {
  const id = await recorded('tagWallet');
  const crashing = { ...database.db, withOrg: () => Promise.reject(new Error('crashed')) };
  await expect(activities(undefined, crashing).offerAmendment({ orgId })).rejects.toThrow('crashed');
  expect(await activities().offerAmendment({ orgId })).toBe('InForce');
  expect(orders.map(({ amendmentId }) => amendmentId)).toEqual([id, id]);
  expect(await events()).toEqual(['charter.amended']);
});

test('an amendment whose action was never signed is refused without asking the signer, and does not block the next amendment', async () => {
  const { action } = await actor.authority();
  await database.arrange('UPDATE user_actions SET credential_uuid = NULL WHERE id = $1', [action?.id ?? '']);
  const forged = await addAmendment(database.db, orgId, action?.id ?? '', 'archivePolicy');
  const next = await recorded('tagWallet');
  const { offerAmendment } = activities();
  expect([await offerAmendment({ orgId }), await offerAmendment({ orgId })]).toEqual(['Refused', 'InForce']);
  expect(await amendments()).toMatchObject([{ id: forged, reason: 'NotSigned' }, { id: next }]);
  expect(orders.map(({ amendmentId }) => amendmentId)).toEqual([next]);
});

describe('when the signer has reached its hourly limit of changes', () => {
  const tooMany = new AppError('SignerUnavailable', 'fresh', { reason: 'AmendmentsTooMany' });

  test('a removal overtakes other changes, which wait and keep their order', async () => {
    const [first, second] = [await recorded('tagWallet'), await recorded('createPolicy')];
    const removals = [await recorded('deactivateUser'), await recorded('deleteCredential')];
    const { offerAmendment } = activities(({ amendmentId }) =>
      removals.includes(amendmentId) ? Promise.resolve(HEAD) : Promise.reject(tooMany),
    );
    expect([await offerAmendment({ orgId }), await offerAmendment({ orgId })]).toEqual(['InForce', 'InForce']);
    await expect(offerAmendment({ orgId })).rejects.toMatchObject({ code: 'SignerUnavailable', retryable: true });
    expect(orders.map(({ amendmentId }) => amendmentId)).toEqual([first, removals[0], first, removals[1], first]);
    expect((await amendments()).map(({ id, status }) => [id, status])).toEqual([
      [first, 'Waiting'],
      [second, 'Waiting'],
      [removals[0], 'InForce'],
      [removals[1], 'InForce'],
    ]);
    const later = activities();
    expect([await later.offerAmendment({ orgId }), await later.offerAmendment({ orgId })]).toEqual(['InForce', 'InForce']);
    expect(await later.offerAmendment({ orgId })).toBe('NoneWaits');
  });

  test('removals beyond their own limit wait too', async () => {
    const removal = await recorded('archiveUser');
    const { offerAmendment } = activities(() => Promise.reject(tooMany));
    await expect(offerAmendment({ orgId })).rejects.toMatchObject({ details: { reason: 'AmendmentsTooMany' } });
    await recorded('tagWallet');
    await expect(offerAmendment({ orgId })).rejects.toMatchObject({ details: { reason: 'AmendmentsTooMany' } });
    expect(orders.map(({ amendmentId }) => amendmentId)).toEqual([removal, removal]);
  });

  test('no removal overtakes other changes while the signer is unavailable', async () => {
    const first = await recorded('tagWallet');
    await recorded('archiveUser');
    const { offerAmendment } = activities(() => Promise.reject(new AppError('SignerUnavailable', 'away')));
    await expect(offerAmendment({ orgId })).rejects.toMatchObject({ code: 'SignerUnavailable' });
    expect(orders.map(({ amendmentId }) => amendmentId)).toEqual([first]);
  });
});
