import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { Reader } from '../../entities/database';
import { type FeedEntry, type FeedHead, feedStore } from '../../entities/feed/feed.store';
import type { FeedCheckpointEntity } from '../../entities/feed/feed-checkpoint.entity';
import { FEED_START, type FeedItem, type FeedPosition, feedCursor } from '../../platform/hash-chain';
import { feedEventOf } from './sequencer';

type Page = { readonly after: FeedPosition; readonly limit: number };
export type CheckpointView = { readonly sequence: number; readonly statement: string; readonly signature: string };

const itemOf = ({ sequence, digest, hash, ...stored }: FeedEntry): FeedItem => ({
  ...{ sequence, digest, hash, event: feedEventOf(stored) },
});

const viewOf = ({ sequence, statement, signature }: FeedCheckpointEntity): CheckpointView => ({
  ...{ sequence: Number(sequence), statement, signature },
});

function assertKnown(after: FeedPosition, hash: string | undefined, head: FeedPosition): void {
  if (after.sequence > head.sequence) {
    throw fieldFault('query.after', `is behind the last event of the feed, which has the sequence ${head.sequence}`, {
      code: 'CursorBeyondFeed',
      details: { sequence: head.sequence },
    });
  }
  if (hash === after.hash) return;
  throw fieldFault('query.after', `does not belong to this feed, in which the event ${after.sequence} has another hash`, {
    code: 'CursorOfAnotherFeed',
    details: { sequence: after.sequence },
  });
}

/** Throws `CursorBeyondFeed`, and `CursorOfAnotherFeed` for a position that the feed never had. */
export async function readFeed(reader: Reader, { after, limit }: Page) {
  // The head is read last, so that no item is behind the head.
  const [hash, entries, [checkpoint], head = { ...FEED_START, dateUpdated: undefined }] = await Promise.all([
    after.sequence === FEED_START.sequence ? FEED_START.hash : feedStore.hashAt(reader, after.sequence),
    feedStore.entriesAfter(reader, after.sequence, limit),
    feedStore.checkpoints(reader, { before: undefined, limit: 1 }),
    feedStore.head(reader),
  ]);
  assertKnown(after, hash, head);
  return {
    items: entries.map(itemOf),
    nextCursor: feedCursor(entries.at(-1) ?? after),
    head: headView(head, checkpoint),
  };
}

type Head = FeedPosition & { readonly dateUpdated: FeedHead['dateUpdated'] | undefined };

function headView({ sequence, hash, dateUpdated }: Head, checkpoint: FeedCheckpointEntity | undefined) {
  return {
    ...{ sequence, hash },
    ...(dateUpdated ? { date: dateUpdated.toISOString() } : {}),
    ...(checkpoint ? { checkpoint: viewOf(checkpoint) } : {}),
  };
}

/** Newest first. If there is a next page, returns one row more than the limit. Throws `InvalidPaginationToken`. */
export async function listCheckpoints(reader: Reader, after: string | undefined, limit: number) {
  const before = after === undefined ? undefined : Number(after);
  if (before !== undefined && !(Number.isSafeInteger(before) && before > 0))
    throw new AppError('InvalidPaginationToken', 'The token is not of this list');
  return (await feedStore.checkpoints(reader, { before, limit: limit + 1 })).map(viewOf);
}
