import { shardOf } from '../../../domain/outbox';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { newId } from '../../../platform/ids';
import { createTestDatabase } from '../../support/database';
import { nothingCarried, testRelay } from '../../support/relay';
import { waitUntil } from '../../support/wait-until';

test('rows of one record are carried out in the order of writing, even if the first writer’s clock was ahead', async () => {
  const database = await createTestDatabase();
  const carried = nothingCarried();
  const relay = testRelay(database, { holderId: 'relay', carried });
  try {
    const orgId = await database.createOrganization();
    const aggregateId = newId('transfer');
    const [early, late] = [newId('outbox'), newId('outbox')];
    const rows = [
      { id: late, signal: 'first' },
      { id: early, signal: 'second' },
    ];
    for (const { id, signal } of rows) {
      const row = { orgId, id, shard: shardOf(aggregateId), kind: 'signal' as const, aggregateId, dedupeKey: id };
      await database.db.withOrg(orgId, (tx) => tx.insert(OutboxRowEntity, { ...row, routing: { signal } }));
    }
    relay.start();
    await waitUntil('both rows', () => carried.rows.length === 2);
    expect(carried.rows.map(({ routing }) => routing['signal'])).toEqual(['first', 'second']);
  } finally {
    await relay.stop();
    await database.close();
  }
});
