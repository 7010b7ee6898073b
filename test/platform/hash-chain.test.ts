import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical } from '../../platform/canonical';
import {
  CHAIN_CURSOR,
  CHAIN_START,
  chainCursor,
  type FeedItem,
  feedDigest,
  followFeed,
  linksAfter,
  positionOf,
} from '../../platform/hash-chain';

/** Computed by docs/examples/feed.py, which does not share code with the service. */
const { organizationId, items: known }: Vectors = JSON.parse(readFileSync(join(__dirname, '..', 'vectors', 'feed.json'), 'utf8'));
type Vectors = { readonly organizationId: string; readonly items: readonly (FeedItem & { readonly canonical: string })[] };
const items: readonly FeedItem[] = known.map(({ canonical: _text, ...item }) => item);
const at = (index: number): FeedItem => items[index] as FeedItem;
const end = (of: FeedItem) => ({ sequence: of.sequence, hash: of.hash });

test('digests and hashes are those of an independent program', () => {
  expect(known.map(({ event }) => canonical(event as never))).toEqual(known.map((one) => one.canonical));
  expect(items.map(({ event }) => feedDigest(event))).toEqual(items.map(({ digest }) => digest));
  expect(
    linksAfter(
      'feed',
      organizationId,
      CHAIN_START,
      items.map(({ digest }) => digest),
    ),
  ).toEqual(items.map(({ event: _event, ...link }) => link));
});

test('a reader that continues at any position reaches the same end', () => {
  expect(followFeed(organizationId, CHAIN_START, items)).toEqual(end(at(2)));
  expect(followFeed(organizationId, end(at(0)), items.slice(1))).toEqual(end(at(2)));
  expect(followFeed(organizationId, end(at(2)), [])).toEqual(end(at(2)));
});

const altered = (item: FeedItem, data: Readonly<Record<string, unknown>>): FeedItem => ({
  ...item,
  event: { ...item.event, data },
});
const rebuilt = (item: FeedItem): FeedItem => ({ ...item, digest: feedDigest(item.event) });

test.each<[string, readonly FeedItem[], object]>([
  ['an altered event', [at(0), altered(at(1), { amount: '2' }), at(2)], { sequence: 2, fault: 'ContentAltered' }],
  ['an altered event with its digest', [at(0), rebuilt(altered(at(1), {})), at(2)], { sequence: 2, fault: 'ChainBroken' }],
  ['a dropped event', [at(0), at(2)], { sequence: 2, fault: 'Gap' }],
  ['a dropped event whose gap was closed', [at(0), { ...at(2), sequence: 2 }], { sequence: 2, fault: 'ChainBroken' }],
  ['two swapped events', [at(1), at(0), at(2)], { sequence: 1, fault: 'Gap' }],
  [
    'two swapped events with swapped sequence numbers',
    [{ ...at(1), sequence: 1 }, { ...at(0), sequence: 2 }, at(2)],
    { sequence: 1, fault: 'ChainBroken' },
  ],
  ['a doubled event', [at(0), at(0), at(1)], { sequence: 2, fault: 'Gap' }],
])('%s is found', (_what, read, fault) => {
  expect(followFeed(organizationId, CHAIN_START, read)).toEqual(fault);
});

test('the feed of another organisation and a rewritten history are found', () => {
  expect(followFeed('or-00000-00000-0000000000000002', CHAIN_START, items)).toEqual({ sequence: 1, fault: 'ChainBroken' });
  const other = { sequence: 1, hash: '11'.repeat(32) };
  expect(followFeed(organizationId, other, items.slice(1))).toEqual({ sequence: 2, fault: 'ChainBroken' });
});

test('a cursor is the text form of a position', () => {
  const cursor = chainCursor(end(at(1)));
  expect(cursor).toMatch(CHAIN_CURSOR);
  expect(positionOf(cursor)).toEqual(end(at(1)));
  expect(chainCursor(CHAIN_START)).toBe(`0-${'00'.repeat(32)}`);
});
