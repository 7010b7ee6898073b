import type { NetworkName } from '../../domain/networks';
import { newId } from '../../platform/ids';
import type { Tx } from '../database';
import { ClaimEntity } from './claim.entity';
import { LaneEntity } from './lane.entity';
import type { TransferEntity } from './transfer.entity';

type LaneKey = { readonly network: NetworkName; readonly address: string };

export type LaneView = {
  /** Claimed nonces at or above the chain's count, in any state. */
  readonly taken: readonly number[];
  /** Claims whose transaction is not final. */
  readonly open: number;
  /** Transfers that asked for a place before this one and still wait. */
  readonly ahead: number;
  /**
   * What transactions of this sender may still take from the balance that was read with the chain's count, in smallest units:
   * the open ones, and those that ended behind that reading's back.
   */
  readonly openNativeUnits: bigint;
  readonly openTokenUnits: bigint;
};

/** The queue of one sender on one network. Its row is the lock under which nonces are handed out (P7). */
export const laneStore = {
  /** Locks the lane for the rest of the transaction, making it at its first use. */
  async lock(tx: Tx, { network, address }: LaneKey): Promise<void> {
    const lockPresent = () =>
      tx.query('SELECT 1 FROM lanes WHERE org_id = $1 AND network = $2 AND address = $3 FOR UPDATE', [
        tx.orgId,
        network,
        address,
      ]);
    if ((await lockPresent()).length > 0) return;
    await tx.insertOnce(LaneEntity, { orgId: tx.orgId, network, address });
    await lockPresent(); // somebody else may have made it meanwhile, and then our insert locked nothing
  },

  async view(tx: Tx, { network, address }: LaneKey, transfer: TransferEntity, chainCount: number): Promise<LaneView> {
    // The lower bound says nothing new; it keeps the statement from reading every nonce that the sender ever used.
    const claims = await tx.query<{ value: number; state: string; native: string; token: string }>(
      `SELECT c.value, c.state,
              p.max_fee_units + CASE WHEN t.asset_kind = 'Native' THEN t.amount_units ELSE 0 END AS native,
              CASE WHEN t.contract = $4 THEN t.amount_units ELSE 0 END AS token
       FROM claims c
       JOIN transfers t ON t.org_id = c.org_id AND t.id = c.transfer_id
       JOIN payloads p ON p.org_id = c.org_id AND p.transfer_id = c.transfer_id
       WHERE c.org_id = $1 AND c.network = $2 AND c.lane = $3 AND (c.state <> 'Consumed' OR c.value >= $5)
         AND c.value >= LEAST($5::integer, (
           SELECT min(o.value) FROM claims o
           WHERE o.org_id = $1 AND o.network = $2 AND o.lane = $3 AND o.state <> 'Consumed'))`,
      [tx.orgId, network, address, transfer.contract, chainCount],
    );
    const open = claims.filter(({ state }) => state !== 'Consumed');
    const [waiting] = await tx.query<{ ahead: number }>(
      `SELECT count(*)::integer AS ahead FROM transfers
       WHERE org_id = $1 AND network = $2 AND from_address = $3 AND waiting_since IS NOT NULL AND state = 'Approved' AND id <> $4
         AND ($5::timestamptz IS NULL OR (waiting_since, id) < ($5, $4))`,
      [tx.orgId, network, address, transfer.id, transfer.waitingSince],
    );
    return {
      taken: claims.filter(({ value }) => value >= chainCount).map(({ value }) => value),
      open: open.length,
      ahead: waiting?.ahead ?? 0,
      openNativeUnits: claims.reduce((sum, { native }) => sum + BigInt(native), 0n),
      openTokenUnits: claims.reduce((sum, { token }) => sum + BigInt(token), 0n),
    };
  },

  async claim(tx: Tx, { network, address }: LaneKey, transferId: string, nonce: number): Promise<void> {
    await tx.insert(ClaimEntity, {
      orgId: tx.orgId,
      id: newId('claim'),
      network,
      kind: 'nonce',
      key: `${address}:${nonce}`,
      lane: address,
      value: nonce,
      transferId,
      state: 'Signing',
    });
  },

  /** Gives the nonce back. Only for a transfer that ends with nothing signed. */
  release: (tx: Tx, transferId: string): Promise<number> => tx.remove(ClaimEntity, { transferId }),

  consume: (tx: Tx, transferId: string): Promise<number> => tx.update(ClaimEntity, { transferId }, { state: 'Consumed' }),

  /** The lanes in which any of these transfers waits, each with its open claims, in the order in which lanes are locked. */
  waitedFor: (tx: Tx, transferIds: readonly string[]): Promise<(LaneKey & { readonly open: number })[]> =>
    tx.query(
      `SELECT t.network, t.from_address AS address,
              (SELECT count(*)::integer FROM claims c
               WHERE c.org_id = $1 AND c.network = t.network AND c.lane = t.from_address AND c.state <> 'Consumed') AS open
       FROM transfers t
       WHERE t.org_id = $1 AND t.id = ANY($2) AND t.waiting_since IS NOT NULL AND t.state = 'Approved'
       GROUP BY t.network, t.from_address ORDER BY t.network, t.from_address COLLATE "C"`,
      [tx.orgId, transferIds],
    ),

  /** Ids of the transfers that have waited longest for a place in this lane. */
  async nextWaiting(tx: Tx, { network, address }: LaneKey, limit: number): Promise<readonly string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM transfers
       WHERE org_id = $1 AND network = $2 AND from_address = $3 AND waiting_since IS NOT NULL AND state = 'Approved'
       ORDER BY waiting_since, id LIMIT $4`,
      [tx.orgId, network, address, limit],
    );
    return rows.map(({ id }) => id);
  },
};
