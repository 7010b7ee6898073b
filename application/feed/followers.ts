import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../domain/errors';
import type { Database } from '../../entities/database';
import { feedStore } from '../../entities/feed/feed.store';
import { type ChainPosition, chainCursor, type FeedItem } from '../../platform/hash-chain';
import { readFeed } from './feed';

export type FeedFollowers = {
  /**
   * Streams the events after the position as server-sent events, and then each new event. The stream ends when `mayGoOn` returns
   * false, when the reader leaves, or when an error occurs. The reader can then reconnect with its last cursor. Throws
   * `RateLimited` if too many streams are open, and the errors of `readFeed`.
   */
  readonly follow: (orgId: string, after: ChainPosition, mayGoOn: () => Promise<boolean>) => Promise<AsyncIterable<string>>;
  /** Ends all streams. */
  readonly close: () => void;
};

type Options = {
  readonly db: Pick<Database, 'read'>;
  readonly heartbeatMs?: number;
  /** The time between two calls of `mayGoOn`. */
  readonly checkMs?: number;
  readonly perOrganizationMax?: number;
};

const PER_ORGANIZATION_MAX = 20;
const PER_PROCESS_MAX = 1_000;
const PAGE_EVENTS = 100;
const LOOK_MS = 500;
const HEARTBEAT_MS = 15_000;
const CHECK_MS = 15_000;
/** The time after which a reader reconnects when its stream has ended. */
const RETRY_AFTER_S = 10;

const HEARTBEAT = ':\n\n';
const frameOf = (item: FeedItem): string => `id: ${chainCursor(item)}\ndata: ${JSON.stringify(item)}\n\n`;

/** Polls the head of an organisation's feed once for all streams of the organisation. */
class Watch {
  followers = 0;
  /** The sequence of the head at the last poll. */
  sequence = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly db: Options['db'],
    private readonly orgId: string,
  ) {}

  async run(): Promise<void> {
    while (this.followers > 0) {
      await delay(LOOK_MS, undefined, { ref: false });
      await this.look().catch(() => undefined); // the next poll comes soon
    }
  }

  private async look(): Promise<void> {
    const head = await feedStore.head(this.db.read(this.orgId));
    if (!head || head.sequence === this.sequence) return;
    this.sequence = head.sequence;
    this.wakeAll();
  }

  wakeAll(): void {
    for (const wake of this.waiting) wake();
  }

  /** Resolves when a poll has found a later sequence, or after `waitMs`. May also resolve earlier for no reason. */
  news(sequence: number, waitMs: number): Promise<void> {
    if (this.sequence > sequence) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.waiting.add(done);
    });
  }
}

type Stream = {
  readonly first: Page;
  readonly pageAfter: (position: ChainPosition) => Promise<Page>;
  readonly watch: Watch;
  readonly mayGoOn: () => Promise<boolean>;
  readonly isClosed: () => boolean;
  readonly onEnd: () => void;
  readonly heartbeatMs: number;
  readonly checkMs: number;
};

/** This function is not a generator, because a generator would never call `onEnd` if the reader left before the first text. */
function textsOf({ first, pageAfter, watch, mayGoOn, isClosed, onEnd, heartbeatMs, checkMs }: Stream): AsyncIterator<string> {
  let page: Page | undefined = first;
  let position = first.after;
  let checkedAt = performance.now();
  // The first text goes out at once, so that the reader knows that the stream has begun.
  let sendsAt = performance.now();
  let hasEnded = false;

  const end = (): IteratorReturnResult<undefined> => {
    if (!hasEnded) onEnd();
    hasEnded = true;
    watch.wakeAll();
    return { done: true, value: undefined };
  };
  const text = async (): Promise<string | undefined> => {
    while (!hasEnded) {
      if (performance.now() - checkedAt >= checkMs) {
        if (!(await mayGoOn())) return undefined;
        checkedAt = performance.now();
      }
      const seen = watch.sequence;
      const { items } = page ?? (await pageAfter(position));
      page = undefined;
      const waitMs = sendsAt - performance.now();
      if (items.length > 0 || waitMs <= 0) {
        position = items.at(-1) ?? position;
        sendsAt = performance.now() + heartbeatMs;
        return items.length === 0 ? HEARTBEAT : items.map(frameOf).join('');
      }
      // No await separates this check from the wait, so that the wake-up by `end` is not missed.
      if (hasEnded || isClosed()) return undefined;
      await watch.news(Math.max(position.sequence, seen), waitMs);
    }
    return undefined;
  };

  return {
    next: async () => {
      try {
        const value = await text();
        return value === undefined ? end() : { done: false, value };
      } catch {
        return end();
      }
    },
    return: async () => end(),
  };
}

export function createFeedFollowers(options: Options): FeedFollowers {
  const { db, heartbeatMs = HEARTBEAT_MS, checkMs = CHECK_MS, perOrganizationMax = PER_ORGANIZATION_MAX } = options;
  const watches = new Map<string, Watch>();
  let followers = 0;
  let hasClosed = false;

  const enter = (orgId: string): Watch => {
    const watch = watches.get(orgId) ?? new Watch(db, orgId);
    if (hasClosed || followers >= PER_PROCESS_MAX || watch.followers >= perOrganizationMax)
      throw new AppError('RateLimited', 'Too many streams of the feed are open', { retryAfterSeconds: RETRY_AFTER_S });
    followers += 1;
    watch.followers += 1;
    watches.set(orgId, watch);
    if (watch.followers === 1) void watch.run();
    return watch;
  };

  const leave = (orgId: string, watch: Watch): void => {
    followers -= 1;
    watch.followers -= 1;
    if (watch.followers === 0) watches.delete(orgId);
  };

  return {
    follow: async (orgId, start, mayGoOn) => {
      const pageAfter = async (after: ChainPosition): Promise<Page> => ({
        after,
        items: (await readFeed(db.read(orgId), { after, limit: PAGE_EVENTS })).items,
      });
      const first = await pageAfter(start);
      const watch = enter(orgId);
      const onEnd = () => leave(orgId, watch);
      const isClosed = () => hasClosed;
      const texts = textsOf({ first, pageAfter, watch, mayGoOn, isClosed, onEnd, heartbeatMs, checkMs });
      return { [Symbol.asyncIterator]: () => texts };
    },
    close: () => {
      hasClosed = true;
      for (const watch of watches.values()) watch.wakeAll();
    },
  };
}

type Page = { readonly after: ChainPosition; readonly items: readonly FeedItem[] };
