import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { CHAIN_START, type ChainPosition, chainCursor, followFeed } from '../../platform/hash-chain';
import type { Stage } from '../rig';

/** The ids of the events in the order of the feed, and the first fault of the chain. */
export type FeedRead = { readonly eventIds: readonly string[]; readonly fault: string | undefined };

export type FeedReader = {
  /** Ends the reading in the background, reads up to the head, and returns everything that was read. */
  readonly readToHead: () => Promise<FeedRead>;
};

const PAUSE_MS = 1_000;
const PAGE_EVENTS = 100;

const Page = z.object({
  items: z.array(
    z.object({
      sequence: z.number(),
      digest: z.string(),
      hash: z.string(),
      event: z.object({
        id: z.string(),
        kind: z.string(),
        date: z.string(),
        data: z.record(z.string(), z.unknown()),
        version: z.number(),
      }),
    }),
  ),
});

/** Reads the feed while parts of the service are killed. Repeats a failed request with the last cursor. */
export function startFeedReader(stage: Pick<Stage, 'client' | 'orgId'>): FeedReader {
  const eventIds: string[] = [];
  let position: ChainPosition = CHAIN_START;
  let fault: string | undefined;
  let isReading = true;

  const readPage = async (): Promise<number> => {
    const query = `limit=${PAGE_EVENTS}&after=${chainCursor(position)}`;
    const { items } = await stage.client('admin').get(`/events?${query}`, Page);
    const end = followFeed(stage.orgId(), position, items);
    if ('fault' in end) throw new BrokenFeed(`the event ${end.sequence} of the feed: ${end.fault}`);
    position = end;
    eventIds.push(...items.map(({ event }) => event.id));
    return items.length;
  };
  const readAlong = async (): Promise<void> => {
    while (isReading && fault === undefined) {
      await readPage().catch((error: unknown) => {
        if (error instanceof BrokenFeed) fault = error.message;
      });
      await delay(PAUSE_MS);
    }
  };
  const reading = readAlong();

  return {
    readToHead: async () => {
      isReading = false;
      await reading;
      try {
        while (fault === undefined && (await readPage()) > 0);
      } catch (error) {
        return { eventIds, fault: String(error) };
      }
      return { eventIds, fault };
    },
  };
}

class BrokenFeed extends Error {
  override readonly name = 'BrokenFeed';
}
