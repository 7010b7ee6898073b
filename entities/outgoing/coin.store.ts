import { invariant } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';
import { ENDED_TRANSFERS } from '../ended-states';
import type { ClaimEntity } from './claim.entity';
import type { OutgoingEntity } from './outgoing.entity';

type LaneKey = { readonly network: NetworkName; readonly address: string };

export type CoinLane = {
  /** The transfers that have claimed (reserved) coins and whose transaction is not final. */
  readonly open: number;
  /** Other transfers that have waited longer for the lane (the sender's queue). */
  readonly ahead: number;
};

export const coinClaim = (address: string, coin: { readonly txid: string; readonly vout: number }) =>
  ({ kind: 'utxo', key: keyOfCoin(coin), lane: address, value: null }) satisfies Pick<
    ClaimEntity,
    'kind' | 'key' | 'lane' | 'value'
  >;

export const keyOfCoin = ({ txid, vout }: { readonly txid: string; readonly vout: number }): string => `${txid}:${vout}`;

export const coinStore = {
  /**
   * The coins among `keys` (`txid:vout`) that have a claim. Includes consumed claims, because a node that has not read the latest
   * blocks may still list a spent coin.
   */
  async claimed(reader: Reader, network: NetworkName, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await reader.select<{ key: string }>(
      `SELECT c.key FROM claims c WHERE c.network = $1 AND c.kind = 'utxo' AND c.key = ANY($2)`,
      [network, keys],
    );
    return new Set(rows.map(({ key }) => key));
  },

  /** The left coins among `keys`, each with the request that had claimed the coin. */
  async left(reader: Reader, network: NetworkName, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await reader.select<{ key: string; by: string }>(
      `SELECT c.key, c.transfer_id AS by FROM claims c WHERE c.network = $1 AND c.kind = 'utxo' AND c.is_left AND c.key = ANY($2)`,
      [network, keys],
    );
    return new Map(rows.map(({ key, by }) => [key, by]));
  },

  /**
   * Marks the coins (`txid:vout`) as left coins, which other requests can claim. The request `signedId` has signed bytes that
   * spend the coins. `owners` are the requests that have the claims.
   */
  leave: (tx: Tx, signedId: string, owners: readonly string[], keys: readonly string[]): Promise<unknown> =>
    tx.query(
      `UPDATE claims SET is_left = true, transfer_id = $2
       WHERE org_id = $1 AND transfer_id = ANY($3) AND kind = 'utxo' AND state = 'Consumed' AND key = ANY($4)`,
      [tx.orgId, signedId, owners, keys],
    ),

  /** Returns false if the coin is not marked as left. */
  async takeLeft(tx: Tx, { id, network }: Pick<OutgoingEntity, 'id' | 'network'>, key: string): Promise<boolean> {
    const taken = await tx.query(
      `UPDATE claims SET transfer_id = $2, after_id = transfer_id, state = 'Signing', is_left = false
       WHERE org_id = $1 AND network = $3 AND kind = 'utxo' AND key = $4 AND is_left RETURNING id`,
      [tx.orgId, id, network, key],
    );
    return taken.length > 0;
  },

  /** The request whose left coins this request has taken over. The claims name at most one earlier request. */
  async after(reader: Reader, transferId: string): Promise<string | undefined> {
    const rows = await reader.select<{ after: string }>(
      `SELECT DISTINCT c.after_id AS after FROM claims c WHERE c.transfer_id = $1 AND c.after_id IS NOT NULL`,
      [transferId],
    );
    invariant(rows.length < 2, `${transferId} has taken over the left coins of one request`);
    return rows[0]?.after;
  },

  /**
   * The transactions among `txids` that belong to transfers from this sender. Omits a transaction if a rival with the same claims
   * may still confirm.
   */
  async ownTransactions(reader: Reader, { network, address }: LaneKey, txids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await reader.select<{ txid: string }>(
      `SELECT p.tx_hash AS txid FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id
       WHERE p.network = $1 AND p.from_address = $2 AND p.tx_hash = ANY($3) AND NOT EXISTS (
         SELECT 1 FROM transfers m LEFT JOIN payloads q ON q.org_id = m.org_id AND q.transfer_id = m.id
         WHERE m.org_id = p.org_id AND (m.id = t.claims_of OR m.claims_of = coalesce(t.claims_of, t.id)) AND m.id <> t.id
           AND (m.state NOT IN ${ENDED_TRANSFERS} OR (q.raw_hex IS NOT NULL AND q.state <> 'Replaced')))`,
      [network, address, txids],
    );
    return new Set(rows.map(({ txid }) => txid));
  },

  /** `ahead` counts the transfers that have waited longer than `transfer`. The caller has locked the lane. */
  async standing(tx: Tx, { network, address }: LaneKey, transfer: OutgoingEntity): Promise<CoinLane> {
    const [row] = await tx.query<CoinLane>(
      `SELECT (SELECT count(DISTINCT c.transfer_id)::integer FROM claims c
               WHERE c.org_id = $1 AND c.network = $2 AND c.lane = $3 AND c.state <> 'Consumed') AS open,
              (SELECT count(*)::integer FROM transfers t
               WHERE t.org_id = $1 AND t.network = $2 AND t.from_address = $3 AND t.waiting_since IS NOT NULL
                 AND t.state = 'Approved' AND t.id <> $4
                 AND ($5::timestamptz IS NULL OR (t.waiting_since, t.id) < ($5, $4))) AS ahead`,
      [tx.orgId, network, address, transfer.id, transfer.waitingSince],
    );
    return row ?? { open: 0, ahead: 0 };
  },

  /**
   * The coins (`txid:vout`) that a request shares with the request that it replaces or the signature that it cancels. Omits coins
   * whose claim is consumed.
   */
  async shared(
    reader: Reader,
    { claimsOf, cancelsSignatureId }: Pick<OutgoingEntity, 'claimsOf' | 'cancelsSignatureId'>,
  ): Promise<ReadonlySet<string>> {
    const rows = await reader.select<{ key: string }>(
      `SELECT c.key FROM claims c
       WHERE (c.transfer_id = $1 OR c.signature_id = $2) AND c.kind = 'utxo' AND c.state <> 'Consumed'`,
      [claimsOf, cancelsSignatureId],
    );
    return new Set(rows.map(({ key }) => key));
  },

  /** The requests that have a claim in any state on an output of this transaction. */
  async spending(reader: Reader, network: NetworkName, txid: string): Promise<readonly string[]> {
    // Keys are `txid:vout`. A semicolon sorts directly after the colon, so the range contains all keys with this `txid`.
    const rows = await reader.select<{ by: string }>(
      `SELECT DISTINCT coalesce(c.transfer_id, c.signature_id) AS by FROM claims c
       WHERE c.network = $1 AND c.kind = 'utxo' AND c.key >= $2 AND c.key < $3 ORDER BY 1`,
      [network, `${txid}:`, `${txid};`],
    );
    return rows.map(({ by }) => by);
  },
};
