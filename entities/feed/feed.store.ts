import type { Reader, Tx } from '../database';
import type { EventEntity } from '../events/event.entity';
import { FeedCheckpointEntity } from './feed-checkpoint.entity';

type StoredEvent = Pick<EventEntity, 'id' | 'kind' | 'aggregateVersion' | 'data' | 'dateCreated'>;

/** `digest` and `hash` are in hex. */
type Place = { readonly sequence: number; readonly digest: string };
type Position = { readonly sequence: number; readonly hash: string };
type NewEntry = Place & Position & { readonly seq: string; readonly eventId: string };
export type FeedHead = Position & { readonly dateUpdated: Date };
export type FeedEntry = Place & Position & StoredEvent;
export type EventPlace = Place & { readonly eventId: string };
type CheckpointPage = { readonly before: number | undefined; readonly limit: number };

const EVENT = `e.id, e.kind, e.aggregate_version AS "aggregateVersion", e.data, e.date_created AS "dateCreated"`;
const HEAD = `sequence::float8 AS sequence, encode(hash, 'hex') AS hash, date_updated AS "dateUpdated"`;

export const feedStore = {
  /**
   * Returns the last position under a lock that ends with the transaction. So the sequencers of one organisation take turns, and
   * each sequencer sees all entries of earlier sequencers.
   */
  async lockHead(tx: Tx, start: Position): Promise<Position> {
    const lock = () =>
      tx.query<Position>(
        `SELECT sequence::float8 AS sequence, encode(hash, 'hex') AS hash FROM feed_heads WHERE org_id = $1 FOR UPDATE`,
        [tx.orgId],
      );
    const [head] = await lock();
    if (head) return head;
    await tx.run(
      `INSERT INTO feed_heads (org_id, sequence, hash) VALUES ($1, $2, decode($3, 'hex')) ON CONFLICT (org_id) DO NOTHING`,
      [tx.orgId, start.sequence, start.hash],
    );
    const [first = start] = await lock();
    return first;
  },

  /** The oldest committed events without a place. A later call returns the events that are committed later. */
  pending: (tx: Tx, rowsMax: number): Promise<(StoredEvent & { readonly seq: string })[]> =>
    tx.query(
      `SELECT p.seq, ${EVENT} FROM feed_pending p JOIN events e ON e.org_id = p.org_id AND e.id = p.event_id
       WHERE p.org_id = $1 ORDER BY p.seq LIMIT $2`,
      [tx.orgId, rowsMax],
    ),

  /**
   * The caller has locked the head. Removes only the pending rows of these entries, because a row with a lower `seq` may have
   * been committed in the meantime.
   */
  async append(tx: Tx, entries: readonly NewEntry[], head: Position): Promise<void> {
    await tx.run(
      `WITH new AS (
         SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
           AS n (sequence, event_id, digest, hash, seq)
       ), added AS (
         INSERT INTO feed_entries (org_id, sequence, event_id, digest, hash)
         SELECT $1, sequence, event_id, decode(digest, 'hex'), decode(hash, 'hex') FROM new
       ), placed AS (
         DELETE FROM feed_pending WHERE org_id = $1 AND seq IN (SELECT seq FROM new)
       )
       UPDATE feed_heads SET sequence = $7, hash = decode($8, 'hex'), date_updated = clock_timestamp() WHERE org_id = $1`,
      [
        tx.orgId,
        entries.map(({ sequence }) => sequence),
        entries.map(({ eventId }) => eventId),
        entries.map(({ digest }) => digest),
        entries.map(({ hash }) => hash),
        entries.map(({ seq }) => seq),
        head.sequence,
        head.hash,
      ],
    );
  },

  /** Omits events without a place. */
  places: (reader: Reader, eventIds: readonly string[]): Promise<EventPlace[]> =>
    reader.select(
      `SELECT t.event_id AS "eventId", t.sequence::float8 AS sequence, encode(t.digest, 'hex') AS digest
       FROM feed_entries t WHERE t.event_id = ANY ($1)`,
      [eventIds],
    ),

  /** Undefined before the first event. */
  async head(reader: Reader): Promise<FeedHead | undefined> {
    const [head] = await reader.select<FeedHead>(`SELECT ${HEAD} FROM feed_heads`);
    return head;
  },

  async hashAt(reader: Reader, sequence: number): Promise<string | undefined> {
    const [entry] = await reader.select<{ readonly hash: string }>(
      `SELECT encode(t.hash, 'hex') AS hash FROM feed_entries t WHERE t.sequence = $1`,
      [sequence],
    );
    return entry?.hash;
  },

  entriesAfter: (reader: Reader, sequence: number, limit: number): Promise<FeedEntry[]> =>
    reader.select(
      `SELECT t.sequence::float8 AS sequence, encode(t.digest, 'hex') AS digest, encode(t.hash, 'hex') AS hash, ${EVENT}
       FROM feed_entries t JOIN events e ON e.org_id = t.org_id AND e.id = t.event_id
       WHERE t.sequence > $1 ORDER BY t.sequence LIMIT $2`,
      [sequence, limit],
    ),

  /** Returns false if this head already has a checkpoint. */
  async addCheckpoint(tx: Tx, checkpoint: Pick<FeedCheckpointEntity, 'sequence' | 'statement' | 'signature'>): Promise<boolean> {
    const isNew = await tx.insertOnce(FeedCheckpointEntity, { orgId: tx.orgId, ...checkpoint });
    await tx.run('UPDATE feed_heads SET signed_sequence = greatest(signed_sequence, $2) WHERE org_id = $1', [
      tx.orgId,
      checkpoint.sequence,
    ]);
    return isNew;
  },

  /** Newest first. */
  checkpoints: (reader: Reader, { before, limit }: CheckpointPage): Promise<FeedCheckpointEntity[]> =>
    reader.rows(FeedCheckpointEntity, 'WHERE t.sequence < coalesce($1, 9223372036854775807) ORDER BY t.sequence DESC LIMIT $2', [
      before ?? null,
      limit,
    ]),
};
