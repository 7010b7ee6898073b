import { outboxStore } from '../../../entities/outbox/outbox.store';
import { newId } from '../../../platform/ids';
import { inContext, requestContext } from '../../../platform/request-context';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { nothingCarried, testRelay } from '../../support/relay';
import { waitUntil } from '../../support/wait-until';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

test('a row and its event are handled under the id of the request that wrote the row, or under no id', async () => {
  const orgId = await database.createOrganization();
  const seen: Record<string, string | undefined> = {};
  const note = (name: string) => {
    seen[name] = requestContext().requestId;
  };
  const carried = nothingCarried();
  carried.fail = ({ dedupeKey }) => {
    note(dedupeKey);
    return false;
  };
  const nothing = () => Promise.reject(new Error('nothing is asked for here'));
  const deliver = async (_orgId: string, eventId: string) => note(eventId);
  const relay = testRelay(database, { holderId: 'one', carried, deliverer: { deliver, retry: nothing, ping: nothing } });
  relay.start();
  const add = (kind: 'start' | 'event', name: string) =>
    database.db.withOrg(orgId, (tx) =>
      outboxStore.add(tx, { kind, aggregateId: newId('transfer'), dedupeKey: name, routing: { eventId: name } }),
    );
  await inContext({ requestId: 'req-1' }, () => add('start', 'a start'));
  await inContext({ requestId: 'req-2' }, () => add('event', 'an event'));
  await add('start', 'another start');
  await waitUntil('the three rows', () => Object.keys(seen).length === 3);
  await relay.stop();
  expect(seen).toEqual({ 'a start': 'req-1', 'an event': 'req-2', 'another start': undefined });
});
