import { createHash } from 'node:crypto';
import { canonical } from './canonical';

/** The part of an event that the feed commits to. A webhook delivers the same members, except that its `id` is of the delivery. */
export type FeedEvent = {
  readonly id: string;
  readonly kind: string;
  readonly date: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The version of the record after the change. */
  readonly version: number;
};

/** Hashes and digests are SHA-256 in lower-case hex. */
export type FeedPosition = { readonly sequence: number; readonly hash: string };
export type FeedLink = FeedPosition & { readonly digest: string };

const PURPOSE = 'strongroom/feed/v1\0';
const OF_EVENT = Buffer.from([0]);
const OF_LINK = Buffer.from([1]);
const HASH_BYTES = 32;

/** The position before the first event. */
export const FEED_START: FeedPosition = { sequence: 0, hash: '00'.repeat(HASH_BYTES) };

const sha256 = (parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** SHA-256(0x00 ‖ the event as JSON in the form of RFC 8785). */
export function feedDigest({ id, kind, date, data, version }: FeedEvent): string {
  const text = canonical({ id, kind, date, data: data as Parameters<typeof canonical>[0], version });
  return sha256([OF_EVENT, Buffer.from(text, 'utf8')]).toString('hex');
}

/**
 * SHA-256(0x01 ‖ SHA-256("strongroom/feed/v1" ‖ 0x00 ‖ organisation) ‖ previous hash ‖ sequence in 8 bytes, big-endian ‖ digest).
 * All parts have a fixed width, so no two different inputs have the same bytes.
 */
function linkHash(organization: Buffer, previous: string, sequence: number, digest: string): string {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(sequence));
  return sha256([OF_LINK, organization, Buffer.from(previous, 'hex'), place, Buffer.from(digest, 'hex')]).toString('hex');
}

/** Returns the links of these digests, in order, behind the position. */
export function linksAfter(orgId: string, after: FeedPosition, digests: readonly string[]): FeedLink[] {
  const organization = sha256([Buffer.from(`${PURPOSE}${orgId}`, 'utf8')]);
  const links: FeedLink[] = [];
  let { sequence, hash } = after;
  for (const digest of digests) {
    sequence += 1;
    hash = linkHash(organization, hash, sequence, digest);
    links.push({ sequence, hash, digest });
  }
  return links;
}

/** A cursor is a position. The hash binds the organisation and all events up to the position. */
export const feedCursor = ({ sequence, hash }: FeedPosition): string => `${sequence}-${hash}`;

export const FEED_CURSOR = /^(?:0|[1-9][0-9]{0,14})-[0-9a-f]{64}$/;

/** The text must match `FEED_CURSOR`. */
export function positionOf(cursor: string): FeedPosition {
  const [sequence = '', hash = ''] = cursor.split('-');
  return { sequence: Number(sequence), hash };
}

export type FeedItem = FeedLink & { readonly event: FeedEvent };
export type FeedFault = { readonly sequence: number; readonly fault: 'Gap' | 'EventAltered' | 'ChainBroken' };

/** Verifies that the items follow the position without a gap. Returns the position of the last item, or the first fault. */
export function followFeed(orgId: string, after: FeedPosition, items: readonly FeedItem[]): FeedPosition | FeedFault {
  const links = linksAfter(
    orgId,
    after,
    items.map(({ event }) => feedDigest(event)),
  );
  for (const [at, item] of items.entries()) {
    const own = links[at];
    const { sequence } = item;
    if (own?.sequence !== sequence) return { sequence: own?.sequence ?? sequence, fault: 'Gap' };
    if (own.digest !== item.digest) return { sequence, fault: 'EventAltered' };
    if (own.hash !== item.hash) return { sequence, fault: 'ChainBroken' };
  }
  const last = links.at(-1);
  return last ? { sequence: last.sequence, hash: last.hash } : after;
}
