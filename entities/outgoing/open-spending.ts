import type { Tx } from '../database';
import type { OutgoingEntity } from './outgoing.entity';

/**
 * The maximum amount that open transactions may still take from an account, in smallest units. Includes the fees that the account
 * pays as sponsor. `ahead` counts the other requests that have waited longer in the account's lane (queue).
 */
export type OpenSpending = {
  readonly open: number;
  readonly ahead: number;
  readonly nativeUnits: bigint;
  readonly tokenUnits: bigint;
};

/** For families without nonces. The caller has locked the lane. */
export async function openSpending(tx: Tx, row: OutgoingEntity, address: string): Promise<OpenSpending> {
  const [spent] = await tx.query<{ open: number; native: string; token: string }>(
    `SELECT (count(*) FILTER (WHERE t.lane_address = $3))::integer AS open,
            coalesce(sum(
              CASE WHEN t.lane_address = $3 OR t.options ->> 'createDestinationAccount' = 'true' THEN p.max_fee_units ELSE 0 END
              + CASE WHEN t.from_address = $3 AND t.contract IS NULL THEN t.amount_units ELSE 0 END), 0)::text AS native,
            coalesce(sum(CASE WHEN t.from_address = $3 AND t.contract = $4 THEN t.amount_units ELSE 0 END), 0)::text AS token
     FROM transfers t JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id
     WHERE t.org_id = $1 AND t.network = $2 AND $3 IN (t.from_address, t.lane_address) AND t.state IN ('Signing', 'Signed', 'Broadcasted')`,
    [tx.orgId, row.network, address, row.contract],
  );
  const [waiting] = await tx.query<{ ahead: number }>(
    `SELECT count(*)::integer AS ahead FROM transfers
     WHERE org_id = $1 AND network = $2 AND lane_address = $3 AND waiting_since IS NOT NULL AND state = 'Approved' AND id <> $4
       AND ($5::timestamptz IS NULL OR (waiting_since, id) < ($5, $4))`,
    [tx.orgId, row.network, address, row.id, row.waitingSince],
  );
  return {
    open: spent?.open ?? 0,
    ahead: waiting?.ahead ?? 0,
    nativeUnits: BigInt(spent?.native ?? 0),
    tokenUnits: BigInt(spent?.token ?? 0),
  };
}

/**
 * The claimed (reserved) keys among `keys`. A key consists of the account and a value of the durable nonce. Includes consumed
 * claims, because a node that has not read the latest blocks can return a used value.
 */
export async function claimedAmong(tx: Tx, network: string, kind: 'durable-nonce', keys: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(
    'SELECT key FROM claims WHERE org_id = $1 AND network = $2 AND kind = $3 AND key = ANY($4)',
    [tx.orgId, network, kind, keys],
  );
  return rows.map(({ key }) => key);
}
