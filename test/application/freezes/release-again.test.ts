import { createFreeze, releaseFreeze } from '../../../application/freezes/request-freeze';
import type { Authority } from '../../../application/user-actions/act';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let actor: Actor;
let freezeId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  const orgId = await database.createOrganization();
  actor = await createActor(database.db, orgId);
  const request = { target: { kind: 'Organization' as const }, reason: 'wrong' };
  freezeId = (await createFreeze(services(), await actor.authority(), request)).id;
});

const services = () => ({
  db: database.db,
  dispatcher: { tryNow: async () => undefined, carryOut: async () => undefined, execute: () => Promise.reject(new Error()) },
});
/**
 * Requests the release. The action is signed with this anchor (from which the signer derives the age of an action), or without
 * an anchor. Returns the id of this action, and the id of the action that the freeze row stores.
 */
async function release(anchor: string | null): Promise<{ readonly asked: string | undefined; readonly kept: string | null }> {
  const authority: Authority = await actor.authority({ method: 'DELETE', path: `/freezes/${freezeId}`, approvalDigest: null });
  const asked = authority.action?.id;
  await database.arrange('UPDATE user_actions SET anchor = $2 WHERE id = $1', [asked, anchor]);
  await releaseFreeze(services(), authority, freezeId);
  const row = await database.db.read(actor.caller.orgId).row(FreezeEntity, 'WHERE t.id = $1', [freezeId]);
  return { asked, kept: row?.releaseActionId ?? null };
}

test('a second release request replaces the first only if the first was signed without an anchor and the second with an anchor', async () => {
  const first = await release(null);
  expect(first.kept).toBe(first.asked);
  expect((await release(null)).kept).toBe(first.asked);
  const anchored = await release('one');
  expect(anchored.kept).toBe(anchored.asked);
  expect((await release('two')).kept).toBe(anchored.asked);
  expect((await release(null)).kept).toBe(anchored.asked);
});

test('a release that the signer has confirmed is not requested again', async () => {
  const first = await release(null);
  await database.arrange('UPDATE freezes SET date_signer_released = clock_timestamp() WHERE id = $1', [freezeId]);
  expect((await release('one')).kept).toBe(first.asked);
});
