/** `start` starts the workflow of a record, and `signal` wakes that workflow. `event` notifies webhooks and waiting callers. */
export const OUTBOX_KINDS = ['start', 'signal', 'event'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** The rows of one record share a shard, and the rows of a shard are relayed in order (P6). */
export const OUTBOX_SHARDS = 64;

/** FNV-1a over the id. */
export function shardOf(aggregateId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < aggregateId.length; i += 1) hash = Math.imul(hash ^ aggregateId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % OUTBOX_SHARDS;
}
