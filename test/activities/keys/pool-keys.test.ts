import { createKeyActivities } from '../../../activities/keys/keys';
import { KEY_STORE_PROVIDERS, type TakeKey } from '../../../application/key-stores/providers';
import { AppError } from '../../../domain/errors';
import { inSlot } from '../../../domain/slots';
import { fleetKeyStore } from '../../../entities/fleets/fleet-key.store';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { keyStore } from '../../../entities/keys/key.store';
import { keyCustody } from '../../../entities/keys/key-custody';
import { keyRecordStore, type NewKey } from '../../../entities/keys/key-record.store';
import { rotationStore } from '../../../entities/keys/rotation.store';
import { newId } from '../../../platform/ids';
import type { FleetOrders } from '../../../signer/protocol';
import { type Actor, createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { addGroup } from '../../support/fleet-rows';
import { REFUSING_SIGNER } from '../../support/refusing-signer';

const STORE_ID = 'ks-1';
const POOL = ['02', '03'].map((first, index) => ({ curve: 'secp256k1' as const, index, publicKey: first + 'ab'.repeat(32) }));
const takeKey: TakeKey = inSlot(KEY_STORE_PROVIDERS.OfflineSigner.takeKey);

let database: TestDatabase;
let actor: Actor;
let orgId: string;
let orders: FleetOrders['assignFleetKey'][];
let refusal: Error | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  actor = await createActor(database.db, orgId);
  const group = await addGroup(database.db, actor, STORE_ID);
  await database.db.withOrg(orgId, (tx) => fleetKeyStore.add(tx, STORE_ID, group.id, POOL));
  orders = [];
  refusal = undefined;
});

const planned = (set: Partial<NewKey> = {}): NewKey => ({
  ...{ id: newId('key'), scheme: 'ECDSA', curve: 'secp256k1', storeId: STORE_ID, name: null, createdBy: actor.caller.userId },
  ...{ delegatedTo: null, isMaster: false, derivedFrom: null, derivationPath: null, mayBeDelegated: false },
  ...set,
});
const insert = (key: NewKey) =>
  database.db.withOrg(orgId, async (tx) => {
    await takeKey(tx, key);
    await keyRecordStore.insert(tx, key);
    return key.id;
  });
const read = () => database.db.read(orgId);
const makeKey = (keyId: string) => {
  const signer = {
    ...REFUSING_SIGNER,
    createKey: () => Promise.reject(new Error('the signer makes no key here')),
    assignFleetKey: async (order: FleetOrders['assignFleetKey']) => {
      orders.push(order);
      if (refusal) throw refusal;
      return {};
    },
  };
  return createKeyActivities({ ...APPROVING, db: database.db, signer } as never).makeKey({ orgId, keyId });
};

test('a key of an offline store is the next key of the pool, and becomes active when the signer has bound it', async () => {
  const [first, second] = [await insert(planned()), await insert(planned())];
  await makeKey(first);
  await makeKey(second);
  await makeKey(first);
  expect(orders.map(({ keyId, publicKeyHex, storeId }) => [keyId, publicKeyHex, storeId])).toEqual([
    [first, POOL[0]?.publicKey, STORE_ID],
    [second, POOL[1]?.publicKey, STORE_ID],
  ]);
  const bound = { status: 'Active', publicKey: POOL[0]?.publicKey, sealed: null, dataKeyId: null };
  expect(await keyStore.find(read(), first)).toMatchObject(bound);
  expect(await keyCustody.ofKey(read(), first)).toEqual({
    ...{ kind: 'OfflineSigner', keyId: first, publicKeyHex: POOL[0]?.publicKey, storeId: STORE_ID },
    form: { scheme: 'ECDSA', curve: 'secp256k1' },
  });
});

test('an empty pool refuses the key, and no other curve or store gives one', async () => {
  const ids = await Promise.all([insert(planned()), insert(planned())]);
  const taken = await fleetKeyStore.ofKeys(read(), ids);
  expect(new Set(taken.map(({ publicKey }) => publicKey)).size).toBe(2);
  for (const none of [planned(), planned({ scheme: 'EdDSA', curve: 'ed25519' }), planned({ storeId: 'ks-2' })]) {
    await expect(insert(none)).rejects.toMatchObject({ code: 'WrongState', message: expect.stringContaining('KeyHarvest') });
    expect(await keyStore.find(read(), none.id)).toBeUndefined();
  }
});

test('a request that is rolled back gives its key back to the pool', async () => {
  const key = planned();
  const failing = database.db.withOrg(orgId, async (tx) => {
    await takeKey(tx, key);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await fleetKeyStore.ofKey(read(), key.id)).toBeUndefined();
  await makeKey(await insert(planned()));
  expect(orders[0]?.publicKeyHex).toBe(POOL[0]?.publicKey);
});

test('a key that the signer does not bind stays in creation, and the repeated step binds the same key', async () => {
  const keyId = await insert(planned());
  refusal = new AppError('SignerRefused', 'the signer refused: KeyNotAssigned', { reason: 'KeyNotAssigned' });
  await expect(makeKey(keyId)).rejects.toMatchObject({ code: 'SignerRefused' });
  expect(await keyStore.find(read(), keyId)).toMatchObject({ status: 'Creating', publicKey: null });
  refusal = undefined;
  await makeKey(keyId);
  expect(orders.map(({ publicKeyHex }) => publicKeyHex)).toEqual([POOL[0]?.publicKey, POOL[0]?.publicKey]);
});

test('a row that was planted without a key of the pool is never bound', async () => {
  const key = planned();
  await database.db.withOrg(orgId, (tx) => keyRecordStore.insert(tx, key));
  await expect(makeKey(key.id)).rejects.toMatchObject({ code: 'Internal' });
  expect(orders).toEqual([]);
});

test('a row that names another store than the store of its key is never bound', async () => {
  const keyId = await insert(planned());
  await database.db.withOrg(orgId, (tx) => tx.update(KeyEntity, { id: keyId }, { storeId: 'ks-2' }));
  await expect(makeKey(keyId)).rejects.toMatchObject({ code: 'Internal' });
  expect(orders).toEqual([]);
});

test('a rotation of data keys passes over keys that have no sealed secret', async () => {
  await makeKey(await insert(planned()));
  expect(await rotationStore.keysNotUnder(read(), 'dk-none', undefined, 9)).toEqual([]);
});
