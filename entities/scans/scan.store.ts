import type { BlockProof, NativeSight } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';

export type BlockPlace = { readonly height: number; readonly hash: string };
/** The block before the first block of a scan. */
export type FirstPlace = BlockPlace & { readonly date?: Date };
export type ReadBlock = BlockPlace & {
  readonly parentHash: string;
  readonly parentHeight: number;
  readonly date: Date;
  readonly proof: BlockProof;
  readonly sight: NativeSight;
  /** The number of movements of watched addresses in the block. */
  readonly matched: number;
};

/**
 * `Reading`: perhaps only some of the block's movements are written yet. `Leaving`: a reorganisation has replaced the block, and
 * its movements are being withdrawn.
 */
export type BlockState = 'Reading' | 'Read' | 'Leaving';
export type KeptBlock = ReadBlock & { readonly state: BlockState };

export type Scan = {
  readonly firstHeight: number;
  /** The last block whose row was removed from `chain_blocks`. Its hash is the parent hash of the first kept block. */
  readonly folded: BlockPlace;
  readonly foldedBlocks: number;
  /** The number of heights up to `folded`, including the heights that have no block. */
  readonly foldedHeights: number;
  /** The number of folded blocks with a proof weaker than `Root`. */
  readonly foldedUnproved: number;
  /** The number of folded blocks that were not searched for native transfers within contract calls. */
  readonly foldedUntraced: number;
  readonly confirmedHeight: number;
  readonly headHeight: number;
  readonly dateStarted: Date;
  /** The block at which balances were last compared with movements. Null before the first comparison. */
  readonly sweptHeight: number | null;
  /** The number of differences that have a row in `balance_differences`. */
  readonly unexplained: number;
};

/** The state of a scan at a confirmed block. */
export type ConfirmedPlace = {
  /** The number of reorganisations so far that have removed confirmed blocks. */
  readonly reversals: number;
  /** The number of blocks, up to and including this block, that were not searched for native transfers within contract calls. */
  readonly untraced: number;
};

type ScanRow = Omit<Scan, 'folded'> & { readonly foldedHeight: number; readonly foldedHash: string };

/** Heights are read as `float8`, which the driver returns as numbers, exact up to 2^53. */
const BLOCK_COLUMNS = `height::float8 AS height, hash, parent_hash AS "parentHash", parent_height::float8 AS "parentHeight", date_mined AS date, proof, sight, matched, state`;

/** The tables of this store do not belong to an organisation, so a transaction for them does not set an organisation. */
export const scanStore = {
  async find(reader: Reader, network: NetworkName): Promise<Scan | undefined> {
    const [row] = await reader.select<ScanRow>(
      `SELECT first_height::float8 AS "firstHeight", folded_height::float8 AS "foldedHeight", folded_hash AS "foldedHash",
         folded_blocks::float8 AS "foldedBlocks", folded_heights::float8 AS "foldedHeights", folded_unproved::float8 AS "foldedUnproved",
         folded_untraced::float8 AS "foldedUntraced", confirmed_height::float8 AS "confirmedHeight", head_height::float8 AS "headHeight",
         date_started AS "dateStarted", swept_height::float8 AS "sweptHeight", unexplained::float8 AS unexplained
       FROM scans WHERE network = $1`,
      [network],
    );
    if (!row) return undefined;
    const { foldedHeight: height, foldedHash: hash, ...scan } = row;
    return { ...scan, folded: { height, hash } };
  },

  /** Oldest first. */
  keptBlocks: (reader: Reader, network: NetworkName): Promise<KeptBlock[]> =>
    reader.select(`SELECT ${BLOCK_COLUMNS} FROM chain_blocks WHERE network = $1 ORDER BY height`, [network]),

  /** Starts a scan that first reads the block after `last`. Does nothing if the network already has a scan. */
  async start(tx: Tx, network: NetworkName, last: FirstPlace): Promise<void> {
    await tx.query(
      `INSERT INTO scans (network, first_height, folded_height, folded_hash, confirmed_height, head_height, date_first)
       VALUES ($1, $2::bigint + 1, $2, $3, $2, $2, $4) ON CONFLICT DO NOTHING`,
      [network, last.height, last.hash, last.date ?? null],
    );
  },

  /**
   * Returns false if another scanner has recorded a different block at one of the heights, or if the ledger (the tables `scans`
   * and `chain_blocks`) does not contain `last`.
   */
  async begin(tx: Tx, network: NetworkName, last: BlockPlace, blocks: readonly ReadBlock[]): Promise<boolean> {
    const [parent] = await tx.query(
      `SELECT 1 FROM scans s LEFT JOIN chain_blocks b ON b.network = s.network AND b.height = $2 AND b.state <> 'Leaving'
       WHERE s.network = $1 AND coalesce(b.hash, CASE WHEN s.folded_height = $2 THEN s.folded_hash END) = $3 FOR SHARE OF s`,
      [network, last.height, last.hash],
    );
    if (parent === undefined) return false;
    const rows = blocks.map(({ height, hash, parentHash, parentHeight, date, proof, sight, matched }) => ({
      ...{ height, hash, proof, sight, matched },
      parent_hash: parentHash,
      parent_height: parentHeight,
      date_mined: date.toISOString(),
    }));
    await tx.query(
      `INSERT INTO chain_blocks (network, height, hash, parent_hash, parent_height, date_mined, proof, sight, matched, state)
       SELECT $1, height, hash, parent_hash, parent_height, date_mined, proof, sight, matched, 'Reading' FROM jsonb_to_recordset($2::jsonb) AS r
         (height bigint, hash text, parent_hash text, parent_height bigint, date_mined timestamptz, proof text, sight text, matched integer)
       ON CONFLICT DO NOTHING`,
      [network, JSON.stringify(rows)],
    );
    return scanStore.areRead(tx, network, blocks);
  },

  /**
   * True if all the blocks are in the ledger and not replaced. The locks keep these blocks in the ledger until the transaction
   * ends, so movements are never written for a block that a scanner has just withdrawn.
   */
  async areRead(tx: Tx, network: NetworkName, blocks: readonly BlockPlace[]): Promise<boolean> {
    const rows = await tx.query(
      `SELECT 1 FROM chain_blocks WHERE network = $1 AND hash = ANY($2) AND height BETWEEN $3 AND $4 AND state <> 'Leaving' FOR SHARE`,
      [network, blocks.map(({ hash }) => hash), blocks[0]?.height ?? 0, blocks.at(-1)?.height ?? 0],
    );
    return rows.length === blocks.length;
  },

  async finish(tx: Tx, network: NetworkName, lastHeight: number, headHeight: number): Promise<void> {
    await tx.query(`UPDATE chain_blocks SET state = 'Read' WHERE network = $1 AND height <= $2 AND state = 'Reading'`, [
      network,
      lastHeight,
    ]);
    await tx.query('UPDATE scans SET head_height = $2 WHERE network = $1', [network, headHeight]);
  },

  /** Marks the blocks from this height on as `Leaving`, because they are no longer on the chain. */
  async leave(tx: Tx, network: NetworkName, fromHeight: number): Promise<void> {
    await tx.query(`UPDATE chain_blocks SET state = 'Leaving' WHERE network = $1 AND height >= $2`, [network, fromHeight]);
    await tx.query(
      `UPDATE scans SET reversals = reversals + (confirmed_height >= $2)::integer,
         confirmed_height = least(confirmed_height, $2::bigint - 1) WHERE network = $1`,
      [network, fromHeight],
    );
  },

  async removeLeft(tx: Tx, network: NetworkName): Promise<void> {
    await tx.query(`DELETE FROM chain_blocks WHERE network = $1 AND state = 'Leaving'`, [network]);
  },

  /**
   * Undefined unless the block is confirmed and in the ledger. If the block can still be replaced, a lock keeps it in the ledger
   * until the transaction ends.
   */
  async confirmedPlace(tx: Tx, network: NetworkName, { height, hash }: BlockPlace): Promise<ConfirmedPlace | undefined> {
    await tx.query(`SELECT 1 FROM chain_blocks WHERE network = $1 AND height = $2 FOR SHARE`, [network, height]);
    const [row] = await tx.query<ConfirmedPlace>(
      `SELECT s.reversals, (s.folded_untraced + (
           SELECT count(*) FROM chain_blocks u
           WHERE u.network = s.network AND u.height <= $2 AND u.state = 'Read' AND u.sight = 'Transactions'))::float8 AS untraced
       FROM scans s LEFT JOIN chain_blocks b ON b.network = s.network AND b.height = $2 AND b.state = 'Read'
       WHERE s.network = $1 AND s.confirmed_height >= $2
         AND coalesce(b.hash, CASE WHEN s.folded_height = $2 THEN s.folded_hash END) = $3`,
      [network, height, hash],
    );
    return row;
  },

  async noteSwept(tx: Tx, network: NetworkName, height: number): Promise<void> {
    await tx.query('UPDATE scans SET swept_height = greatest(swept_height, $2) WHERE network = $1', [network, height]);
  },

  async noteUnexplained(tx: Tx, network: NetworkName, count: number): Promise<void> {
    await tx.query('UPDATE scans SET unexplained = unexplained + $2 WHERE network = $1', [network, count]);
  },

  async noteConfirmed(tx: Tx, network: NetworkName, height: number): Promise<void> {
    await tx.query('UPDATE scans SET confirmed_height = greatest(confirmed_height, $2) WHERE network = $1', [network, height]);
  },

  /** Removes the rows of old blocks, and adds them to the counts of the scan. */
  async fold(tx: Tx, network: NetworkName, upToHeight: number): Promise<void> {
    await tx.query(
      `WITH gone AS (
         DELETE FROM chain_blocks WHERE network = $1 AND height <= $2 AND state = 'Read' RETURNING height, parent_height, hash, proof, sight, matched
       ), summed AS (
         SELECT count(*) AS blocks, sum(height - parent_height) AS heights, count(*) FILTER (WHERE proof <> 'Root') AS unproved,
           count(*) FILTER (WHERE sight = 'Transactions') AS untraced, sum(matched) AS matched,
           max(height) AS height FROM gone
       )
       UPDATE scans s SET folded_height = g.height, folded_hash = g.hash, folded_blocks = folded_blocks + m.blocks, folded_heights = folded_heights + m.heights,
         folded_unproved = folded_unproved + m.unproved,
         folded_untraced = folded_untraced + m.untraced, folded_matched = folded_matched + m.matched
       FROM summed m JOIN gone g ON g.height = m.height WHERE s.network = $1`,
      [network, upToHeight],
    );
  },
};
