import type { EventEntity } from '../events/event.entity';
import { createChainStore } from '../hash-chains/chain-store';

export type StoredEvent = Pick<EventEntity, 'id' | 'kind' | 'aggregateVersion' | 'data' | 'dateCreated'>;

export const feedStore = createChainStore<StoredEvent>({
  pending: 'feed_pending',
  heads: 'feed_heads',
  places: 'feed_entries',
  checkpoints: 'feed_checkpoints',
  itemId: 'event_id',
  items: 'events',
  columns: `e.id, e.kind, e.aggregate_version AS "aggregateVersion", e.data, e.date_created AS "dateCreated"`,
});
