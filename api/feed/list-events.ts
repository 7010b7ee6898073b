import { z } from 'zod';
import { readFeed } from '../../application/feed/feed';
import { TextAnswer } from '../http/answer';
import { ChainHead, ChainQuery, nextCursor, startOf } from '../http/hash-chains';
import { operation } from '../http/operation';
import { FeedItem } from './schemas';

/** A proxy must forward each event at once. When the process stops, it must not wait for the connection of an ended stream. */
const STREAM_HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' };

export const listEvents = operation({
  id: 'listEvents',
  method: 'get',
  path: '/events',
  tag: 'events',
  summary: 'Read the feed of events, oldest first',
  description:
    'Every event of the organisation appears exactly once and in one order, and webhooks deliver the same events. Each entry ' +
    'continues a chain of hashes, so a reader that has verified the entries up to the head knows that no event is missing. ' +
    'With `Accept: text/event-stream` the events come as server-sent events, each with its cursor as `id`, and new events ' +
    'follow as they happen. The call returns 409 `CursorOfAnotherFeed` if the cursor belongs to another organisation or to a ' +
    'feed with a different past, and 404 `CursorBeyondFeed` if the cursor is beyond the head.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Events:Read',
  userAction: false,
  params: z.strictObject({}),
  query: ChainQuery,
  body: z.undefined(),
  response: z.object({
    items: z.array(FeedItem),
    nextCursor,
    head: ChainHead,
  }),
  handle: async ({ query: { after, limit }, authority }, { db }) =>
    readFeed(db.read(authority.caller.orgId), { after: startOf(after), limit }),
  stream: async ({ query: { after }, authority, lastEventId, mayGoOn }, { feedFollowers }) => {
    const start = lastEventId === undefined ? startOf(after) : startOf(lastEventId, 'headers.last-event-id');
    return new TextAnswer(
      'text/event-stream',
      await feedFollowers.follow(authority.caller.orgId, start, mayGoOn),
      STREAM_HEADERS,
    );
  },
});
