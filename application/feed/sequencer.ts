import type { Database, Tx } from '../../entities/database';
import type { EventEntity } from '../../entities/events/event.entity';
import { type EventPlace, feedStore } from '../../entities/feed/feed.store';
import { createBatches } from '../../platform/batches';
import { FEED_START, type FeedEvent, feedDigest, linksAfter } from '../../platform/hash-chain';

export type Sequencer = {
  /**
   * Gives a place in the feed to all committed events of the organisation, among them the event. Returns the place of the event.
   * Undefined for an event from before the feed. Concurrent calls for one organisation share a transaction.
   */
  readonly placeOf: (orgId: string, eventId: string) => Promise<EventPlace | undefined>;
  /** Returns the number of events that got a place. */
  readonly numberAll: (orgId: string) => Promise<number>;
};

/** Bounds the transaction that holds the lock of the head. */
const NUMBERED_MAX = 500;
const CALLS_MAX = 500;
const PLACES_MAX = 5_000;

type Stored = Pick<EventEntity, 'id' | 'kind' | 'aggregateVersion' | 'data' | 'dateCreated'>;

export const feedEventOf = ({ id, kind, dateCreated, data, aggregateVersion }: Stored): FeedEvent => ({
  ...{ id, kind, date: dateCreated.toISOString(), data, version: aggregateVersion },
});

async function numberPending(tx: Tx): Promise<EventPlace[]> {
  const head = await feedStore.lockHead(tx, FEED_START);
  const events = await feedStore.pending(tx, NUMBERED_MAX);
  const links = linksAfter(
    tx.orgId,
    head,
    events.map((event) => feedDigest(feedEventOf(event))),
  );
  const entries = events.flatMap(({ id: eventId, seq }, at) =>
    links.slice(at, at + 1).map((link) => ({ ...link, eventId, seq })),
  );
  const last = links.at(-1);
  if (last) await feedStore.append(tx, entries, last);
  return entries.map(({ eventId, sequence, digest }) => ({ eventId, sequence, digest }));
}

/**
 * Keeps the newest places for the calls that follow, because the relay asks for each event of a batch, and one transaction
 * numbers all of them.
 */
function createPlaces() {
  const kept = new Map<string, EventPlace>();
  return {
    keep: (places: readonly EventPlace[]): void => {
      for (const place of places) kept.set(place.eventId, place);
      for (const eventId of kept.keys()) {
        if (kept.size <= PLACES_MAX) return;
        kept.delete(eventId);
      }
    },
    take: (eventId: string): EventPlace | undefined => {
      const place = kept.get(eventId);
      kept.delete(eventId);
      return place;
    },
  };
}

/** The relay numbers the events of an organisation before the first attempt to deliver them (P6). */
export function createSequencer(db: Database): Sequencer {
  const known = createPlaces();

  const numberAll = async (orgId: string): Promise<ReadonlyMap<string, EventPlace>> => {
    const places = new Map<string, EventPlace>();
    let count = NUMBERED_MAX;
    while (count === NUMBERED_MAX) {
      const placed = await db.withOrg(orgId, numberPending);
      for (const place of placed) places.set(place.eventId, place);
      count = placed.length;
    }
    return places;
  };

  const placesOf = async (orgId: string, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventPlace>> => {
    const numbered = await numberAll(orgId);
    const others = eventIds.filter((eventId) => !numbered.has(eventId));
    // Another sequencer has numbered them, or an earlier transaction of this one.
    const found = others.length === 0 ? [] : await feedStore.places(db.read(orgId), others);
    const asked = new Set(eventIds);
    known.keep([...numbered.values()].filter(({ eventId }) => !asked.has(eventId)));
    return new Map([...numbered, ...found.map((place) => [place.eventId, place] as const)]);
  };

  const placeOf = createBatches<{ orgId: string; eventId: string }, EventPlace | undefined>({
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
    numberAll: async (orgId) => (await numberAll(orgId)).size,
  };
}
