import fc from 'fast-check';
import { OUTBOX_SHARDS, shardOf } from '../../domain/outbox';
import { newId } from '../../platform/ids';

/** The 32-bit FNV-1a hashes come from the reference test suite (draft-eastlake-fnv). */
test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
])('the shard of %j follows from its FNV-1a hash', (text, hash) => {
  expect(shardOf(text)).toBe(hash % 64);
});

test('the shard of any text is a whole number from 0 to 63', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shard = shardOf(text);
      expect(Number.isInteger(shard) && shard >= 0 && shard < OUTBOX_SHARDS).toBe(true);
      expect(shardOf(text)).toBe(shard);
    }),
  );
});

test('ids that are created at the same time spread over every shard', () => {
  const counts = new Map<number, number>();
  for (let i = 0; i < 6_400; i += 1) {
    const shard = shardOf(newId('transfer'));
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect(counts.size).toBe(OUTBOX_SHARDS);
  expect(Math.max(...counts.values())).toBeLessThan(300);
});
