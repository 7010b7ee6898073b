import { createHash } from 'node:crypto';
import type { HashChain } from '../domain/hash-chains';
import { canonical } from './canonical';

type Content = Readonly<Record<string, unknown>>;

/**
 * The part of an event that the feed commits to. A webhook delivers the same members, except that `id` is the id of the delivery.
 */
export type FeedEvent = {
  readonly id: string;
  readonly kind: string;
  readonly date: string;
  readonly data: Content;
  /** The version of the record after the change. */
  readonly version: number;
};

/** The part of an audit log entry that the chain commits to. */
export type AuditEntry = Omit<FeedEvent, 'version'>;

/** Hashes and digests are SHA-256 in lower-case hex. */
export type ChainPosition = { readonly sequence: number; readonly hash: string };
export type ChainLink = ChainPosition & { readonly digest: string };

const OF_CONTENT = Buffer.from([0]);
const OF_LINK = Buffer.from([1]);
const HASH_BYTES = 32;

/** The position before the first item. */
export const CHAIN_START: ChainPosition = { sequence: 0, hash: '00'.repeat(HASH_BYTES) };

const sha256 = (parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** SHA-256(0x00 ‖ the content as JSON in the form of RFC 8785). */
const contentDigest = (content: Content): string =>
  sha256([OF_CONTENT, Buffer.from(canonical(content as Parameters<typeof canonical>[0]), 'utf8')]).toString('hex');

/** Only the members to which the chain commits are hashed. */
export const feedDigest = ({ id, kind, date, data, version }: FeedEvent): string =>
  contentDigest({ id, kind, date, data, version });
export const auditDigest = ({ id, kind, date, data }: AuditEntry): string => contentDigest({ id, kind, date, data });

/**
 * SHA-256(0x01 ‖ SHA-256("strongroom/<chain>/v1" ‖ 0x00 ‖ organisation) ‖ previous hash ‖ sequence in 8 bytes, big-endian ‖ digest).
 * All parts have a fixed width, so no two different inputs have the same bytes.
 */
function linkHash(organization: Buffer, previous: string, sequence: number, digest: string): string {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(sequence));
  return sha256([OF_LINK, organization, Buffer.from(previous, 'hex'), place, Buffer.from(digest, 'hex')]).toString('hex');
}

/** Returns one link for each digest, in order. The first link follows the position `after`. */
export function linksAfter(chain: HashChain, orgId: string, after: ChainPosition, digests: readonly string[]): ChainLink[] {
  const organization = sha256([Buffer.from(`strongroom/${chain}/v1\0${orgId}`, 'utf8')]);
  const links: ChainLink[] = [];
  let { sequence, hash } = after;
  for (const digest of digests) {
    sequence += 1;
    hash = linkHash(organization, hash, sequence, digest);
    links.push({ sequence, hash, digest });
  }
  return links;
}

/** A cursor is a position. The hash binds the organisation and all items up to the position. */
export const chainCursor = ({ sequence, hash }: ChainPosition): string => `${sequence}-${hash}`;

export const CHAIN_CURSOR = /^(?:0|[1-9][0-9]{0,14})-[0-9a-f]{64}$/;

/** The text must match `CHAIN_CURSOR`. */
export function positionOf(cursor: string): ChainPosition {
  const [sequence = '', hash = ''] = cursor.split('-');
  return { sequence: Number(sequence), hash };
}

export type FeedItem = ChainLink & { readonly event: FeedEvent };
export type AuditItem = ChainLink & { readonly entry: AuditEntry };
export type ChainFault = { readonly sequence: number; readonly fault: 'Gap' | 'ContentAltered' | 'ChainBroken' };

type Followed = {
  readonly chain: HashChain;
  readonly orgId: string;
  readonly after: ChainPosition;
  readonly items: readonly ChainLink[];
  /** The digest of the content of each item. */
  readonly digests: readonly string[];
};

function follow({ chain, orgId, after, items, digests }: Followed): ChainPosition | ChainFault {
  const links = linksAfter(chain, orgId, after, digests);
  for (const [at, item] of items.entries()) {
    const own = links[at];
    const { sequence } = item;
    if (own?.sequence !== sequence) return { sequence: own?.sequence ?? sequence, fault: 'Gap' };
    if (own.digest !== item.digest) return { sequence, fault: 'ContentAltered' };
    if (own.hash !== item.hash) return { sequence, fault: 'ChainBroken' };
  }
  const last = links.at(-1);
  return last ? { sequence: last.sequence, hash: last.hash } : after;
}

/** Verifies that the items follow the position without a gap. Returns the position of the last item, or the first fault. */
export const followFeed = (orgId: string, after: ChainPosition, items: readonly FeedItem[]): ChainPosition | ChainFault =>
  follow({ chain: 'feed', orgId, after, items, digests: items.map(({ event }) => feedDigest(event)) });

/** `followFeed` for the audit log. */
export const followAudit = (orgId: string, after: ChainPosition, items: readonly AuditItem[]): ChainPosition | ChainFault =>
  follow({ chain: 'audit', orgId, after, items, digests: items.map(({ entry }) => auditDigest(entry)) });
