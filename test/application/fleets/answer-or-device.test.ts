import { waitForAnswer } from '../../../application/outgoing/start-and-wait';
import type { Services } from '../../../application/services';
import { offlineRequestStore } from '../../../entities/fleets/offline-request.store';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createOfflineSteps } from '../../support/offline-steps';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

test('a caller does not wait for a device, but waits before and after the request is at the device', async () => {
  const steps = await createOfflineSteps(database);
  const { orgId } = steps;
  const looks: boolean[] = [];
  const services: Services = Object.assign(Object.create(null), {
    db: database.db,
    changes: {
      waitFor: async <T>(_id: string, read: () => Promise<T>, done: (value: T) => boolean) => {
        const value = await read();
        looks.push(done(value));
        return value;
      },
    },
  });
  const look = async (id: string) => (await waitForAnswer(services, orgId, id)).state;

  const approved = await steps.transfer();
  expect(await look(approved)).toBe('Approved');
  const id = await steps.atDevice();
  expect(await look(id)).toBe('Signing');
  const groupId = await steps.group();
  await steps.collect(groupId);
  expect(await look(id)).toBe('Signing');
  await database.db.withOrg(orgId, (tx) => offlineRequestStore.signed(tx, id, groupId, [{ r: '0x1', s: '0x2' }]));
  expect(await look(id)).toBe('Signing');
  expect(looks).toEqual([false, true, true, false]);
});
