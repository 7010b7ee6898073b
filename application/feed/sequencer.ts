import type { Database } from '../../entities/database';
import { feedStore } from '../../entities/feed/feed.store';
import type { ItemPlace } from '../../entities/hash-chains/chain-store';
import { createBatches } from '../../platform/batches';
import { CHAINS } from '../hash-chains/chains';
import { numberAll } from '../hash-chains/number-pending';

export type Sequencer = {
  /**
   * Gives a place in the feed to all committed events of the organisation, and returns the place of this event. Undefined for an
   * event that is older than the feed. Concurrent calls for one organisation share a transaction.
   */
  readonly placeOf: (orgId: string, eventId: string) => Promise<ItemPlace | undefined>;
  /** Returns the number of events that got a place. */
  readonly numberAll: (orgId: string) => Promise<number>;
};

const CALLS_MAX = 500;
const PLACES_MAX = 5_000;

/**
 * Keeps the newest places for later calls. The relay requests the places of the events in a batch one by one, but one
 * transaction numbers all these events.
 */
function createPlaces() {
  const kept = new Map<string, ItemPlace>();
  return {
    keep: (places: readonly ItemPlace[]): void => {
      for (const place of places) kept.set(place.itemId, place);
      for (const eventId of kept.keys()) {
        if (kept.size <= PLACES_MAX) return;
        kept.delete(eventId);
      }
    },
    take: (eventId: string): ItemPlace | undefined => {
      const place = kept.get(eventId);
      kept.delete(eventId);
      return place;
    },
  };
}

/** The relay numbers the events of an organisation before the first attempt to deliver them (P6). */
export function createSequencer(db: Database): Sequencer {
  const known = createPlaces();

  const placesOf = async (orgId: string, eventIds: readonly string[]): Promise<ReadonlyMap<string, ItemPlace>> => {
    const numbered = await numberAll(db, CHAINS.feed, orgId);
    const others = eventIds.filter((eventId) => !numbered.has(eventId));
    // Another sequencer, or an earlier transaction of this sequencer, has numbered these events.
    const found = others.length === 0 ? [] : await feedStore.places(db.read(orgId), others);
    const asked = new Set(eventIds);
    known.keep([...numbered.values()].filter(({ itemId }) => !asked.has(itemId)));
    return new Map([...numbered, ...found.map((place) => [place.itemId, place] as const)]);
  };

  const placeOf = createBatches<{ orgId: string; eventId: string }, ItemPlace | undefined>({
    groupOf: ({ orgId }) => orgId,
    itemsMax: CALLS_MAX,
    run: async (items) => {
      const [{ orgId }] = items;
      const taken = items.map(({ eventId }) => known.take(eventId));
      const missing = items.filter((_item, at) => taken[at] === undefined).map(({ eventId }) => eventId);
      const places = missing.length === 0 ? undefined : await placesOf(orgId, missing);
      return items.map(({ eventId }, at) => taken[at] ?? places?.get(eventId));
    },
  });

  return {
    placeOf: (orgId, eventId) => placeOf({ orgId, eventId }),
    numberAll: async (orgId) => (await numberAll(db, CHAINS.feed, orgId)).size,
  };
}
