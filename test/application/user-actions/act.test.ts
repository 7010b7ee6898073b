import { act } from '../../../application/user-actions/act';
import { UserActionEntity } from '../../../entities/user-actions/user-action.entity';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let orgId: string;
let actor: Actor;

beforeAll(async () => {
  database = await createTestDatabase(24);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  actor = await createActor(database.db, orgId);
});

const USED = { code: 'UserActionUsed', status: 400 };
const consumedAt = async (id: string) =>
  (await database.db.read(orgId).row(UserActionEntity, 'WHERE t.id = $1', [id]))?.dateConsumed;
/** Changes the user action in its row before it is used. */
async function authorityWith(set: Partial<UserActionEntity>) {
  const authority = await actor.authority();
  await database.db.withOrg(orgId, (tx) => tx.update(UserActionEntity, { id: authority.action?.id ?? '' }, set));
  return authority;
}
const nothing = async () => undefined;

test('the work gets the transaction and the id of the user action, and `act` returns its result', async () => {
  const authority = await actor.authority();
  await expect(act(database.db, authority, async (tx, id) => [tx.orgId, id])).resolves.toEqual([orgId, authority.action?.id]);
  expect(authority.action?.consumed).toBe(true);
  expect(await consumedAt(authority.action?.id ?? '')).toBeInstanceOf(Date);
});

test('of forty requests at once with the same user action, exactly one does its work', async () => {
  const { caller, action } = await actor.authority();
  const insert = () =>
    act(database.db, { caller, action: action && { ...action } }, (tx) => {
      const id = newId('user');
      return tx.insert(UserEntity, { orgId, id, username: id, name: 'Counted', kind: 'CustomerEmployee' });
    });
  const results = await Promise.allSettled(Array.from({ length: 40 }, insert));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refusals = results.filter((result): result is PromiseRejectedResult => result.status === 'rejected');
  expect(refusals.map(({ reason }) => reason)).toEqual(Array(39).fill(expect.objectContaining(USED)));
  expect(await database.db.read(orgId).rows(UserEntity, `WHERE t.name = 'Counted'`)).toHaveLength(1);
});

test('failing work rolls back the consumption, and the user action can be used again', async () => {
  const authority = await actor.authority();
  const failing = act(database.db, authority, () => Promise.reject(new Error('refused')));
  await expect(failing).rejects.toThrow('refused');
  expect(authority.action?.consumed).toBe(false);
  expect(await consumedAt(authority.action?.id ?? '')).toBeNull();
  await expect(act(database.db, authority, async () => 'done')).resolves.toBe('done');
});

test('the work does not run with a user action that was never signed or has expired', async () => {
  const work = jest.fn(nothing);
  const unsigned = await actor.authority();
  await database.arrange('UPDATE user_actions SET date_signed = NULL WHERE id = $1', [unsigned.action?.id]);
  await expect(act(database.db, unsigned, work)).rejects.toMatchObject(USED);
  await expect(act(database.db, await authorityWith({ dateExpires: new Date(0) }), work)).rejects.toMatchObject(USED);
  expect(work).not.toHaveBeenCalled();
});

test('a colleague and a stranger cannot use the user action of another person', async () => {
  const { action } = await actor.authority();
  const others = [await createActor(database.db, orgId), await createActor(database.db, await database.createOrganization())];
  for (const { caller } of others) await expect(act(database.db, { caller, action }, nothing)).rejects.toMatchObject(USED);
  expect(await consumedAt(action?.id ?? '')).toBeNull();
});

test('a change without a user action fails as an internal error, and the work does not run', async () => {
  const work = jest.fn(nothing);
  await expect(act(database.db, { caller: actor.caller, action: undefined }, work)).rejects.toMatchObject({ code: 'Internal' });
  expect(work).not.toHaveBeenCalled();
});
