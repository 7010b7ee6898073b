import type { ErrorCode } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { HashChain } from '../../domain/hash-chains';
import type { Reader } from '../../entities/database';
import type { ChainHead, StoredCheckpoint } from '../../entities/hash-chains/chain-store';
import { CHAIN_START, type ChainLink, type ChainPosition, chainCursor } from '../../platform/hash-chain';
import type { Chain } from './chains';

type Page = { readonly after: ChainPosition; readonly limit: number };

const FAULTS = {
  feed: { beyond: 'CursorBeyondFeed', other: 'CursorOfAnotherFeed' },
  audit: { beyond: 'CursorBeyondAuditLog', other: 'CursorOfAnotherAuditLog' },
} as const satisfies Record<HashChain, Record<'beyond' | 'other', ErrorCode>>;

function assertKnown(chain: HashChain, after: ChainPosition, hash: string | undefined, head: ChainPosition): void {
  const { beyond, other } = FAULTS[chain];
  if (after.sequence > head.sequence) {
    throw fieldFault('query.after', `is beyond the last item, which has the sequence ${head.sequence}`, {
      code: beyond,
      details: { sequence: head.sequence },
    });
  }
  if (hash === after.hash) return;
  throw fieldFault('query.after', `belongs to another chain: here the item ${after.sequence} has another hash`, {
    code: other,
    details: { sequence: after.sequence },
  });
}

/** Throws the errors of `FAULTS` for a position after the head, and for a position that the chain never had. */
export async function readChainPage<Item, Content>(
  reader: Reader,
  { name, store, contentOf }: Chain<Item, Content>,
  { after, limit }: Page,
) {
  // The head is read last, so that no item comes after the head.
  const [hash, rows, [checkpoint], head = { ...CHAIN_START, dateUpdated: undefined }] = await Promise.all([
    after.sequence === CHAIN_START.sequence ? CHAIN_START.hash : store.hashAt(reader, after.sequence),
    store.itemsAfter(reader, after.sequence, limit),
    store.checkpoints(reader, { before: undefined, limit: 1 }),
    store.head(reader),
  ]);
  assertKnown(name, after, hash, head);
  const items: (ChainLink & { readonly content: Content })[] = rows.map((row) => ({
    ...{ sequence: row.sequence, digest: row.digest, hash: row.hash, content: contentOf(row) },
  }));
  return { items, nextCursor: chainCursor(items.at(-1) ?? after), head: headView(head, checkpoint) };
}

type Head = ChainPosition & { readonly dateUpdated: ChainHead['dateUpdated'] | undefined };

const headView = ({ sequence, hash, dateUpdated }: Head, checkpoint: StoredCheckpoint | undefined) => ({
  ...{ sequence, hash },
  ...(dateUpdated ? { date: dateUpdated.toISOString() } : {}),
  ...(checkpoint ? { checkpoint } : {}),
});
