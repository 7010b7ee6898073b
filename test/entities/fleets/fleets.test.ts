import { Client } from 'pg';
import { fleetStore } from '../../../entities/fleets/fleet.store';
import { fleetGroupStore } from '../../../entities/fleets/fleet-group.store';
import { fleetKeyStore } from '../../../entities/fleets/fleet-key.store';
import { fleetOutputStore } from '../../../entities/fleets/fleet-output.store';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { addGroup } from '../../support/fleet-rows';

let database: TestDatabase;
let orgId: string;
let actor: Actor;
let stores = 0;
const newStore = () => `store-${++stores}`;

beforeAll(async () => {
  database = await createTestDatabase();
  orgId = await database.createOrganization();
  actor = await createActor(database.db, orgId);
});
afterAll(() => database?.close());

const inTx: TestDatabase['db']['withOrg'] = (org, work) => database.db.withOrg(org, work);
const cancel = (id: string) =>
  inTx(orgId, (tx) =>
    fleetGroupStore.change(tx, { id, version: 1 }, { status: 'Canceled', dateCanceled: new Date(), reason: 'x' }),
  );

test('a store has one open group at a time, and the next one after the end of the first', async () => {
  const store = newStore();
  const first = await addGroup(database.db, actor, store);
  const together = await Promise.all([addGroup(database.db, actor, store), addGroup(database.db, actor, store)]);
  expect([first, ...together].map(({ added }) => added)).toEqual([true, false, false]);
  expect((await addGroup(database.db, actor, newStore())).added).toBe(true);
  await cancel(first.id);
  expect((await addGroup(database.db, actor, store)).added).toBe(true);
});

test('the archive of a group is written once', async () => {
  const { id } = await addGroup(database.db, actor, newStore());
  for (const text of ['first', 'second']) {
    await inTx(orgId, (tx) => fleetGroupStore.seal(tx, id, { text, digest: text }));
  }
  expect(await fleetGroupStore.find(database.db.read(orgId), id)).toMatchObject({ input: 'first', inputDigest: 'first' });
  const rewrite = inTx(orgId, (tx) => tx.run(`UPDATE fleet_groups SET input = 'third' WHERE id = $1`, [id]));
  await expect(rewrite).rejects.toThrow('the archive of a group never changes');
});

test('the database accepts an approval from the worker and not from the API, and changes no group that has ended', async () => {
  const { id } = await addGroup(database.db, actor, newStore());
  const as = async (url: string, sql: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`SELECT set_config('strongroom.org_id', $1, false)`, [orgId]);
      return (await client.query(sql, [id])).rowCount;
    } finally {
      await client.end();
    }
  };
  await inTx(orgId, (tx) => fleetGroupStore.change(tx, { id, version: 1 }, { status: 'InReview', outputDigest: 'd' }));
  const approve = `UPDATE fleet_groups SET status = 'Approved', date_recorded = now() WHERE id = $1`;
  await expect(as(database.appUrl, approve)).rejects.toThrow('permission denied');
  const bare = as(database.appUrl, `UPDATE fleet_groups SET status = 'Approved' WHERE id = $1`);
  await expect(bare).rejects.toThrow('check constraint');
  expect(await as(database.workerUrl, approve)).toBe(1);
  const reopen = as(database.workerUrl, `UPDATE fleet_groups SET status = 'InReview' WHERE id = $1`);
  await expect(reopen).rejects.toThrow('a group that has ended never changes');
});

describe('the pool of keys', () => {
  const pool = async (count: number) => {
    const store = newStore();
    const { id } = await addGroup(database.db, actor, store);
    const keys = Array.from({ length: count }, (_, index) => ({
      ...{ curve: 'secp256k1' as const, index },
      publicKey: `${store}-${index}`,
    }));
    await inTx(orgId, (tx) => fleetKeyStore.add(tx, store, id, keys));
    return { store, id, keys };
  };
  const take = (store: string, keyId = newId('key')) => inTx(orgId, (tx) => fleetKeyStore.take(tx, store, 'secp256k1', keyId));

  test('gives each key once, the lowest index first, however many ask at once, and then no key', async () => {
    const { store } = await pool(5);
    expect((await take(store))?.index).toBe(0);
    const taken = await Promise.all(Array.from({ length: 8 }, () => take(store)));
    expect(taken.flatMap((key) => (key ? [key.index] : [])).sort()).toEqual([1, 2, 3, 4]);
    expect(await take(store)).toBeUndefined();
    expect(await fleetKeyStore.counts(database.db.read(orgId), store)).toEqual([
      { curve: 'secp256k1', state: 'Assigned', keys: 5 },
    ]);
  });

  test('belongs to one store and one organisation, and does not change if a group adds its keys twice', async () => {
    const { store, id, keys } = await pool(2);
    await inTx(orgId, (tx) => fleetKeyStore.add(tx, store, id, keys));
    expect(await take(newStore())).toBeUndefined();
    const other = await database.createOrganization();
    expect(await inTx(other, (tx) => fleetKeyStore.take(tx, store, 'secp256k1', newId('key')))).toBeUndefined();
    expect(await fleetKeyStore.counts(database.db.read(orgId), store)).toEqual([
      { curve: 'secp256k1', state: 'Available', keys: 2 },
    ]);
  });

  test('refuses a public key that another store of the organisation has', async () => {
    const { keys } = await pool(1);
    const { store, id } = await pool(0);
    await expect(inTx(orgId, (tx) => fleetKeyStore.add(tx, store, id, keys))).rejects.toThrow('fleet_keys_org_id_public_key_key');
  });

  test('never makes an assigned key available again', async () => {
    const { store } = await pool(1);
    const key = await take(store);
    const undo = (set: string) => inTx(orgId, (tx) => tx.run(`UPDATE fleet_keys SET ${set} WHERE key_id = $1`, [key?.keyId]));
    await expect(undo(`state = 'Available', key_id = NULL`)).rejects.toThrow('never becomes available');
    await expect(undo(`key_id = 'another'`)).rejects.toThrow('assigned once');
    await undo(`state = 'Retired'`);
    await expect(undo(`state = 'Assigned'`)).rejects.toThrow('assigned once');
  });
});

describe('outputs', () => {
  const output = async (groupId: string) => {
    const { action } = await actor.authority();
    const userActionId = action?.id ?? '';
    const added = await inTx(orgId, (tx) =>
      fleetOutputStore.add(tx, {
        ...{ userActionId, groupId, submittedBy: actor.caller.userId, fileChecksum: 'c' },
        ...{ outputJson: '{}', file: '{}' },
      }),
    );
    return { userActionId, added };
  };

  test('of a group are checked one at a time, and a refused output keeps its digest and loses its texts', async () => {
    const { id } = await addGroup(database.db, actor, newStore());
    const both = await Promise.all([output(id), output(id)]);
    expect(both.map(({ added }) => added).sort()).toEqual([false, true]);
    const first = both.find(({ added }) => added)?.userActionId ?? '';
    const refusal = { manifestDigest: 'm', failedCheck: 'Signature', reason: 'x' };
    await inTx(orgId, (tx) => fleetOutputStore.refuse(tx, first, refusal));
    expect(await fleetOutputStore.find(database.db.read(orgId), first)).toMatchObject({
      ...{ status: 'Refused', outputJson: null, file: null, ...refusal },
    });
    expect((await output(id)).added).toBe(true);
  });

  test('that came to nothing are abandoned, and the manifest of an approved group never is', async () => {
    const store = newStore();
    const submit = async (manifestDigest: string, end: 'Approved' | 'Canceled') => {
      const { id } = await addGroup(database.db, actor, store);
      const { userActionId } = await output(id);
      await inTx(orgId, async (tx) => {
        await fleetOutputStore.accept(tx, userActionId, manifestDigest);
        await fleetGroupStore.change(tx, { id, version: 1 }, { status: 'InReview', outputDigest: 'd' });
      });
      if (end === 'Canceled') await cancel(id);
      else
        await inTx(orgId, (tx) =>
          fleetGroupStore.change(tx, { id, version: 1 }, { status: 'Approved', dateRecorded: new Date() }),
        );
    };
    await submit('one', 'Canceled');
    await submit('two', 'Approved');
    await submit('two', 'Canceled');
    expect(await fleetOutputStore.abandoned(database.db.read(orgId), store, 64)).toEqual(['one']);
  });
});

test('a manifest follows the newest one only', async () => {
  const store = newStore();
  await addGroup(database.db, actor, store);
  const commit = (before: string | null, digest: string, n: number) =>
    inTx(orgId, (tx) => fleetStore.commit(tx, store, before, { digest, text: '{}', n }));
  expect(await commit('other', 'a', 0)).toBe(false);
  expect(await commit(null, 'a', 0)).toBe(true);
  expect(await commit(null, 'b', 0)).toBe(false);
  expect(await commit('a', 'b', 1)).toBe(true);
  expect(await fleetStore.find(database.db.read(orgId), store)).toMatchObject({ manifestDigest: 'b', n: 1 });
});
