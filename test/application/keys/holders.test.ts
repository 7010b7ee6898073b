import { askingActionFor, networksOfHolder } from '../../../application/keys/holders';
import type { NewKey } from '../../../entities/keys/key-record.store';
import { keyRecordStore } from '../../../entities/keys/key-record.store';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { seeCharter } from '../../support/charter-rows';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let zoe: Actor;
let program: Actor;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  const orgId = await database.createOrganization();
  zoe = await createActor(database.db, orgId, 'EndUser');
  program = await createActor(database.db, orgId, 'ServiceAccount');
});
afterAll(() => database?.close());

/** Stores a charter that names the program as a member and serves end users on these networks. */
const serving = (networks: 'Test' | 'All') => {
  const { userId, orgId } = program.caller;
  const member = { userId, hand: 'us-1', isServiceAccount: true, credentials: [{ id: program.credentialUuid }] };
  return seeCharter(database.db, orgId, 1, { endUsers: { networks }, members: [member] });
};
const newKey = (more: Partial<NewKey> = {}): NewKey => ({
  ...{ id: newId('key'), scheme: 'ECDSA', curve: 'secp256k1', delegatedTo: zoe.caller.userId, isMaster: false },
  ...{ derivedFrom: null, derivationPath: null, mayBeDelegated: false, storeId: 'ks-1', name: null },
  createdBy: program.caller.userId,
  ...more,
});
const actionOf = async (actor: Actor, anchor: string | null = 'anchor') => {
  const id = (await actor.authority()).action?.id ?? '';
  await database.arrange('UPDATE user_actions SET anchor = $2 WHERE id = $1', [id, anchor]);
  return id;
};
const askedFor = (key: NewKey, userActionId: string | undefined) =>
  database.db.withOrg(zoe.caller.orgId, (tx) => askingActionFor(tx, key, userActionId));
const refusedAs = (code: string) => expect.objectContaining({ code });

test('the record of an end user’s key stores the action that requests the key, but only under a charter that serves end users', async () => {
  const action = await actionOf(zoe);
  expect(await askedFor(newKey(), action)).toBeNull();
  await seeCharter(database.db, zoe.caller.orgId, 1);
  expect(await askedFor(newKey(), action)).toBeNull();
  await serving('Test');
  expect(await askedFor(newKey(), action)).toBe(action);
  expect(await askedFor(newKey({ delegatedTo: null }), action)).toBeNull();
});

test('an end user requests a key with a credential of their own, or a member requests it with a credential that the charter lists', async () => {
  await serving('Test');
  const byProgram = await actionOf(program);
  expect(await askedFor(newKey(), byProgram)).toBe(byProgram);
  const stranger = await createActor(database.db, zoe.caller.orgId);
  await expect(askedFor(newKey(), await actionOf(stranger))).rejects.toEqual(refusedAs('WrongState'));
  await database.arrange(`UPDATE user_actions SET credential_uuid = 'cred-other' WHERE id = $1`, [byProgram]);
  await expect(askedFor(newKey(), byProgram)).rejects.toEqual(refusedAs('WrongState'));
});

test.each([
  ['a password', `UPDATE credentials SET kind = 'Password' WHERE user_id = $1`],
  ['a key that the service stores', `UPDATE credentials SET kind = 'PasswordProtectedKey' WHERE user_id = $1`],
  ['a key that is bound to a token', 'UPDATE credentials SET is_token_bound = true WHERE user_id = $1'],
  ['an inactive key', 'UPDATE credentials SET is_active = false WHERE user_id = $1'],
])('an end user who has only %s gets no key, because the signer would not accept this credential', async (_what, statement) => {
  await serving('Test');
  const action = await actionOf(program);
  await database.arrange(statement, [zoe.caller.userId]);
  await expect(askedFor(newKey(), action)).rejects.toEqual(refusedAs('WrongState'));
});

test('without an action that has an anchor (by which the signer knows its age), no key is made, because the signer would refuse', async () => {
  await serving('Test');
  await expect(askedFor(newKey(), await actionOf(program, null))).rejects.toEqual(refusedAs('NotReady'));
  await expect(askedFor(newKey(), undefined)).rejects.toEqual(refusedAs('InvalidRequest'));
});

test('a derived key has a holder only if its master key has one, and needs no action of its own', async () => {
  await serving('All');
  const action = await actionOf(zoe);
  const [held, bare] = [newKey({ isMaster: true, askingActionId: action }), newKey({ isMaster: true })];
  await database.db.withOrg(zoe.caller.orgId, async (tx) => {
    for (const key of [held, bare]) await keyRecordStore.insert(tx, key);
  });
  const childOf = ({ id }: NewKey) => newKey({ derivedFrom: id, derivationPath: "m/0'" });
  expect(await askedFor(childOf(held), action)).toBeNull();
  await expect(askedFor(childOf(bare), action)).rejects.toEqual(refusedAs('WrongState'));
  const reader = database.db.read(zoe.caller.orgId);
  const keys = [held, childOf(held), bare, childOf(bare), { ...held, delegatedTo: null }];
  expect(await Promise.all(keys.map((key) => networksOfHolder(reader, key)))).toEqual([
    'All',
    'All',
    undefined,
    undefined,
    undefined,
  ]);
});
