import { HASH_CHAINS, type HashChain } from '../../domain/hash-chains';

type ChainRow = { readonly orgId: string; readonly id: string };
export type UnwitnessedChain = ChainRow & { readonly id: HashChain };

/** Reads the chains of all organisations as the relay role. */
export type ChainsOfAll = {
  /**
   * Organisations whose chain has items after its last checkpoint, or items that wait for their place in the chain. `id` is the
   * id of the organisation.
   */
  readonly chainsWithNews: (chain: HashChain, after: string | undefined, rowsMax: number) => Promise<readonly ChainRow[]>;
  /** Organisations with audit log entries that wait for their place in the chain. */
  readonly pendingAuditLogs: (rowsMax: number) => Promise<readonly string[]>;
  /** Chains whose newest checkpoint waits for the witness, which keeps checkpoints outside the service. */
  readonly unwitnessedChains: (after: string | undefined, rowsMax: number) => Promise<readonly UnwitnessedChain[]>;
  /** How long a checkpoint has waited for the witness; 0 if none waits. */
  readonly unwitnessedSeconds: () => Promise<number>;
};

const withNews = (chain: HashChain) => `SELECT t.org_id AS "orgId", t.org_id AS id FROM (
    SELECT org_id FROM ${chain}_heads WHERE sequence > signed_sequence UNION SELECT org_id FROM ${chain}_pending) t
  WHERE $1::text IS NULL OR t.org_id > split_part($1, '/', 1) ORDER BY t.org_id LIMIT $2`;
const UNWITNESSED = HASH_CHAINS.map(
  (chain) => `SELECT org_id, '${chain}' AS id, date_unwitnessed FROM ${chain}_heads
    WHERE date_unwitnessed IS NOT NULL AND signed_sequence > 0`,
).join(' UNION ALL ');

const UNWITNESSED_PAGE = `SELECT t.org_id AS "orgId", t.id FROM (${UNWITNESSED}) t
  WHERE $1::text IS NULL OR (t.org_id, t.id) > (split_part($1, '/', 1), split_part($1, '/', 2)) ORDER BY t.org_id, t.id LIMIT $2`;

type Rows = <R extends object>(sql: string, values: readonly unknown[]) => Promise<R[]>;

export const chainsOver = (rows: Rows): ChainsOfAll => ({
  chainsWithNews: (chain, after, rowsMax) => rows(withNews(chain), [after ?? null, rowsMax]),
  pendingAuditLogs: async (rowsMax) => {
    const found = await rows<ChainRow>('SELECT DISTINCT org_id AS "orgId" FROM audit_pending LIMIT $1', [rowsMax]);
    return found.map(({ orgId }) => orgId);
  },
  unwitnessedChains: (after, rowsMax) => rows(UNWITNESSED_PAGE, [after ?? null, rowsMax]),
  unwitnessedSeconds: async () => {
    const [waiting] = await rows<{ readonly seconds: number }>(
      `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(date_unwitnessed)), 0)::float8 AS seconds FROM (${UNWITNESSED}) t`,
      [],
    );
    return waiting?.seconds ?? 0;
  },
});
