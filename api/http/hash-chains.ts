import { z } from 'zod';
import { listCheckpoints } from '../../application/hash-chains/checkpoints';
import { fieldFault } from '../../domain/field-faults';
import type { HashChain } from '../../domain/hash-chains';
import type { Reader } from '../../entities/database';
import { CHAIN_CURSOR, CHAIN_START, positionOf } from '../../platform/hash-chain';
import { IsoDate } from './iso-date';
import { afterOf, NextPageToken, PageQuery, tokenAfter } from './pagination';

export const ItemHash = z.string().meta({ description: 'SHA-256 in lower-case hex' });
export const sequence = z.int().describe('Begins at 1 and increases by exactly one with each item');
export const nextCursor = z.string().describe('The cursor after the last item, or the given cursor if there are no items');

export const Checkpoint = z
  .object({
    sequence: z.int().describe('The last item that the statement covers'),
    statement: z.string().describe('The signed text: organisation, sequence, hash and time, as JSON'),
    signature: z.string().describe("The signer's Ed25519 signature in base64"),
  })
  .meta({ id: 'Checkpoint' });

export const CheckpointPage = z.object({ items: z.array(Checkpoint), nextPageToken: NextPageToken });

export async function checkpointPage(reader: Reader, chain: HashChain, { limit, paginationToken }: z.output<typeof PageQuery>) {
  const rows = await listCheckpoints(reader, chain, afterOf(paginationToken), limit);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, nextPageToken: tokenAfter(String(last.sequence)) } : { items };
}

export const ChainHead = z
  .object({
    sequence: z.int().describe('The last item; 0 before the first item'),
    hash: ItemHash.describe('The hash of the last item'),
    date: IsoDate.optional().describe('When the last item was added to the chain; absent before the first item'),
    checkpoint: Checkpoint.optional().describe('The newest checkpoint; absent before the first checkpoint'),
  })
  .meta({ id: 'ChainHead' });

export const ChainQuery = PageQuery.pick({ limit: true }).extend({
  after: z
    .string()
    .max(128)
    .optional()
    .describe(
      'A cursor: the sequence and the hash of the last item that was read, separated by a hyphen; absent for the beginning',
    ),
});

/** Undefined means the beginning of the chain. */
export function startOf(cursor: string | undefined, path = 'query.after') {
  if (cursor === undefined) return CHAIN_START;
  if (!CHAIN_CURSOR.test(cursor)) throw fieldFault(path, 'is not a cursor of a feed or an audit log', { code: 'InvalidCursor' });
  return positionOf(cursor);
}
