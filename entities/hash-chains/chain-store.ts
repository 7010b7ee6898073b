import type { Reader, Tx } from '../database';

/** The tables of one chain. All names come from the code. */
export type ChainTables = {
  readonly pending: string;
  readonly heads: string;
  readonly places: string;
  readonly checkpoints: string;
  /** The column of `pending` and `places` with the id of the item. */
  readonly itemId: string;
  /** The table of the items, and the columns that the chain commits to. */
  readonly items: string;
  readonly columns: string;
};

/** `digest` and `hash` in hex. */
type Place = { readonly sequence: number; readonly digest: string };
type Position = { readonly sequence: number; readonly hash: string };
type NewPlace = Place & Position & { readonly seq: string; readonly itemId: string };
export type ChainHead = Position & { readonly dateUpdated: Date };
export type ItemPlace = Place & { readonly itemId: string };
export type StoredCheckpoint = { readonly sequence: number; readonly statement: string; readonly signature: string };
type CheckpointPage = { readonly before: number | undefined; readonly limit: number };

/** The functions with which a sequencer gives items their places in the chain. */
type Numbering<Item> = {
  /**
   * Returns the last position under a lock that ends with the transaction. Only one sequencer of an organisation can work at a
   * time, and it sees all places that earlier sequencers assigned.
   */
  readonly lockHead: (tx: Tx, start: Position) => Promise<Position>;
  /**
   * The oldest committed items without a place. An item whose transaction commits later is returned by a later call. If a pending
   * row is inserted again for an item that already has a place, the chain still continues.
   */
  readonly pending: (tx: Tx, rowsMax: number) => Promise<(Item & { readonly id: string; readonly seq: string })[]>;
  /**
   * The caller has locked the head. Removes only these pending rows, because a row with a lower `seq` may have been committed in
   * the meantime.
   */
  readonly append: (tx: Tx, places: readonly NewPlace[], head: Position) => Promise<void>;
};

type Reading<Item> = {
  /** Omits items without a place. */
  readonly places: (reader: Reader, itemIds: readonly string[]) => Promise<ItemPlace[]>;
  /** Undefined before the first item. */
  readonly head: (reader: Reader) => Promise<ChainHead | undefined>;
  readonly hashAt: (reader: Reader, sequence: number) => Promise<string | undefined>;
  readonly itemsAfter: (reader: Reader, sequence: number, limit: number) => Promise<(Place & Position & Item)[]>;
};

type Attesting = {
  /** Returns false if the head already has a checkpoint. */
  readonly addCheckpoint: (tx: Tx, checkpoint: StoredCheckpoint) => Promise<boolean>;
  /** Newest first. */
  readonly checkpoints: (reader: Reader, page: CheckpointPage) => Promise<StoredCheckpoint[]>;
  /** Records that the witness has this checkpoint and therefore all earlier ones. A newer checkpoint continues to wait. */
  readonly acknowledge: (tx: Tx, sequence: number) => Promise<void>;
};

export type ChainStore<Item> = Numbering<Item> & Reading<Item> & Attesting;

const POSITION = `sequence::float8 AS sequence, encode(hash, 'hex') AS hash`;

function numberingOver<Item>({ pending, heads, places, itemId, items, columns }: ChainTables): Numbering<Item> {
  return {
    lockHead: async (tx, start) => {
      const lock = () => tx.query<Position>(`SELECT ${POSITION} FROM ${heads} WHERE org_id = $1 FOR UPDATE`, [tx.orgId]);
      const [head] = await lock();
      if (head) return head;
      await tx.run(
        `INSERT INTO ${heads} (org_id, sequence, hash) VALUES ($1, $2, decode($3, 'hex')) ON CONFLICT (org_id) DO NOTHING`,
        [tx.orgId, start.sequence, start.hash],
      );
      const [first = start] = await lock();
      return first;
    },

    // With OFFSET 0 Postgres looks up each row by the index, and does not read all places.
    pending: (tx, rowsMax) =>
      tx.query(
        `SELECT p.seq, ${columns} FROM ${pending} p JOIN ${items} e ON e.org_id = p.org_id AND e.id = p.${itemId}
         WHERE p.org_id = $1 AND NOT EXISTS (SELECT FROM ${places} q WHERE q.org_id = $1 AND q.${itemId} = p.${itemId} OFFSET 0)
         ORDER BY p.seq LIMIT $2`,
        [tx.orgId, rowsMax],
      ),

    append: async (tx, added, head) => {
      await tx.run(
        `WITH new AS (
           SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
             AS n (sequence, item_id, digest, hash, seq)
         ), added AS (
           INSERT INTO ${places} (org_id, sequence, ${itemId}, digest, hash)
           SELECT $1, sequence, item_id, decode(digest, 'hex'), decode(hash, 'hex') FROM new
         ), placed AS (
           DELETE FROM ${pending} WHERE org_id = $1 AND seq IN (SELECT seq FROM new)
         )
         UPDATE ${heads} SET sequence = $7, hash = decode($8, 'hex'), date_updated = clock_timestamp() WHERE org_id = $1`,
        [
          tx.orgId,
          added.map(({ sequence }) => sequence),
          added.map((place) => place.itemId),
          added.map(({ digest }) => digest),
          added.map(({ hash }) => hash),
          added.map(({ seq }) => seq),
          head.sequence,
          head.hash,
        ],
      );
    },
  };
}

function readingOver<Item>({ heads, places, itemId, items, columns }: ChainTables): Reading<Item> {
  return {
    places: (reader, itemIds) =>
      reader.select(
        `SELECT t.${itemId} AS "itemId", t.sequence::float8 AS sequence, encode(t.digest, 'hex') AS digest
         FROM ${places} t WHERE t.${itemId} = ANY ($1)`,
        [itemIds],
      ),

    head: async (reader) => {
      const [head] = await reader.select<ChainHead>(`SELECT ${POSITION}, date_updated AS "dateUpdated" FROM ${heads}`);
      return head;
    },

    hashAt: async (reader, sequence) => {
      const [place] = await reader.select<Position>(`SELECT ${POSITION} FROM ${places} WHERE sequence = $1`, [sequence]);
      return place?.hash;
    },

    itemsAfter: (reader, sequence, limit) =>
      reader.select(
        `SELECT t.sequence::float8 AS sequence, encode(t.digest, 'hex') AS digest, encode(t.hash, 'hex') AS hash, ${columns}
         FROM ${places} t JOIN ${items} e ON e.org_id = t.org_id AND e.id = t.${itemId}
         WHERE t.sequence > $1 ORDER BY t.sequence LIMIT $2`,
        [sequence, limit],
      ),
  };
}

function attestingOver({ heads, checkpoints }: ChainTables): Attesting {
  return {
    addCheckpoint: async (tx, { sequence, statement, signature }) => {
      const added = await tx.query(
        `INSERT INTO ${checkpoints} (org_id, sequence, statement, signature) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1`,
        [tx.orgId, sequence, statement, signature],
      );
      await tx.run(
        `UPDATE ${heads} SET signed_sequence = $2, date_unwitnessed = coalesce(date_unwitnessed, clock_timestamp())
         WHERE org_id = $1 AND signed_sequence < $2`,
        [tx.orgId, sequence],
      );
      return added.length > 0;
    },

    checkpoints: (reader, { before, limit }) =>
      reader.select(
        `SELECT t.sequence::float8 AS sequence, t.statement, t.signature FROM ${checkpoints} t
         WHERE t.sequence < coalesce($1, 9223372036854775807) ORDER BY t.sequence DESC LIMIT $2`,
        [before ?? null, limit],
      ),

    acknowledge: async (tx, sequence) => {
      await tx.run(
        `UPDATE ${heads} SET date_unwitnessed = CASE WHEN signed_sequence > $2 THEN clock_timestamp() END
         WHERE org_id = $1 AND signed_sequence >= $2`,
        [tx.orgId, sequence],
      );
    },
  };
}

export const createChainStore = <Item>(tables: ChainTables): ChainStore<Item> => ({
  ...numberingOver<Item>(tables),
  ...readingOver<Item>(tables),
  ...attestingOver(tables),
});
