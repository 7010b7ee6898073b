import type { WaitingRow } from '../../../entities/outbox/relay.store';
import { createLines } from '../../../worker/relay/lines';

const rowOf = (orgId: string, aggregateId: string, n: number): WaitingRow => ({
  ...{ orgId, aggregateId, id: `${orgId}-${aggregateId}-${n}`, dedupeKey: `${orgId}-${aggregateId}-${n}` },
  ...{ shard: 0, kind: 'signal', routing: {}, attempts: 0 },
});

test('organisations take turns among the fetched rows, and rows of one record keep their order', async () => {
  const carried: string[] = [];
  const lines = createLines({
    rowsMax: 10,
    parallelMax: 1,
    carryOut: async ({ id }) => {
      carried.push(id);
      return true;
    },
  });
  lines.add([rowOf('busy', 'a', 1), rowOf('busy', 'a', 2), rowOf('busy', 'b', 1), rowOf('busy', 'c', 1), rowOf('quiet', 'd', 1)]);
  // Each row starts the next row in a later microtask.
  while (lines.heldIds().length > 0) await Promise.resolve();
  expect(carried).toEqual(['busy-a-1', 'quiet-d-1', 'busy-b-1', 'busy-c-1', 'busy-a-2']);
});
