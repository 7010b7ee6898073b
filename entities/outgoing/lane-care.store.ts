import type { LaneTrouble } from '../../domain/lanes';
import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';
import { FAILED_TRANSFERS } from '../ended-states';
import { ClaimEntity } from './claim.entity';
import { LaneEntity } from './lane.entity';
import type { PayloadEntity } from './payload.entity';

type LaneKey = { readonly network: NetworkName; readonly address: string };

/**
 * A transaction that was sent and that no known block contains. If several rivals were sent, the queries below return only the
 * rival that was built last.
 */
export type SentPayload = {
  readonly id: string;
  readonly transferId: string;
  readonly nonce: number;
  readonly txHash: string;
  readonly rawHex: string;
  /** Set if a sponsor sends the transaction. */
  readonly sponsoredWalletId?: string | null;
};

/** For families without nonces. `isPaidFor`: a child transaction pays for the sent transaction (CPFP). */
export type SentCoins = Omit<SentPayload, 'nonce'> & { readonly isPaidFor: boolean; readonly feeCeilingUnits: string };

/** A sent transaction that a durable nonce keeps valid. `slot` is the slot at which the transaction was built. */
export type SentDurable = Omit<SentPayload, 'nonce'> & { readonly slot: number; readonly unsignedHex: string };

export const laneCareStore = {
  /** Lowest nonce first. Omits nonces below `chainCount`, because the chain has used them. */
  sent: (reader: Reader, { network, address }: LaneKey, chainCount: number): Promise<SentPayload[]> =>
    reader.select(
      `SELECT DISTINCT ON (p.nonce) p.id, p.transfer_id AS "transferId", p.nonce, p.tx_hash AS "txHash", p.raw_hex AS "rawHex",
              CASE WHEN t.fee_sponsor_id IS NOT NULL THEN t.wallet_id END AS "sponsoredWalletId"
       FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id
       WHERE p.network = $1 AND p.from_address = $2 AND p.nonce >= $3 AND p.state = 'Broadcasted' AND t.state = 'Broadcasted'
       ORDER BY p.nonce, p.id DESC`,
      [network, address, chainCount],
    ),

  /** Only transactions with a nonce key. At most one transaction per nonce key is open at a time. */
  sentInLanes: (reader: Reader, { network, address }: LaneKey): Promise<SentPayload[]> =>
    reader.select(
      `SELECT DISTINCT ON (p.context ->> 'nonceKey', p.context ->> 'keyedNonce') p.id, p.transfer_id AS "transferId",
              (p.context ->> 'keyedNonce')::integer AS nonce, p.tx_hash AS "txHash", p.raw_hex AS "rawHex"
       FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id
       WHERE p.network = $1 AND p.from_address = $2 AND p.context ? 'nonceKey' AND p.state = 'Broadcasted' AND t.state = 'Broadcasted'
       ORDER BY p.context ->> 'nonceKey', p.context ->> 'keyedNonce', p.id DESC`,
      [network, address],
    ),

  /** Transactions that stay valid until their durable nonce advances. */
  sentByDurableNonce: (reader: Reader, { network, address }: LaneKey): Promise<SentDurable[]> =>
    reader.select(
      `SELECT DISTINCT ON (coalesce(t.claims_of, t.id)) p.id, p.transfer_id AS "transferId", p.tx_hash AS "txHash", p.raw_hex AS "rawHex",
              p.unsigned_hex AS "unsignedHex", (p.context ->> 'slot')::float8 AS slot
       FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id
       WHERE p.network = $1 AND p.from_address = $2 AND p.context #>> '{lifetime,kind}' = 'durable-nonce'
         AND p.state = 'Broadcasted' AND t.state = 'Broadcasted'
       ORDER BY coalesce(t.claims_of, t.id), p.id DESC`,
      [network, address],
    ),

  /** In the order in which the transactions were built. */
  sentCoins: (reader: Reader, { network, address }: LaneKey): Promise<SentCoins[]> =>
    reader.select(
      `SELECT * FROM (
         SELECT DISTINCT ON (coalesce(t.claims_of, t.id)) p.id, p.transfer_id AS "transferId", p.tx_hash AS "txHash", p.raw_hex AS "rawHex",
                t.fee_ceiling_units::text AS "feeCeilingUnits",
                EXISTS (SELECT 1 FROM transfers c WHERE c.org_id = t.org_id AND c.pays_for_id = t.id
                        AND c.state NOT IN ${FAILED_TRANSFERS}) AS "isPaidFor"
         FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id
         WHERE p.network = $1 AND p.from_address = $2 AND p.state = 'Broadcasted' AND t.state = 'Broadcasted'
         ORDER BY coalesce(t.claims_of, t.id), p.id DESC) sent
       ORDER BY id`,
      [network, address],
    ),

  /**
   * Sponsored transfers whose operation is still open even though the chain has used the sponsor's nonce: no known block contains
   * a transaction of the transfer or of its rivals.
   */
  async openOperations(reader: Reader, { network, address }: LaneKey, chainCount: number): Promise<readonly string[]> {
    const rows = await reader.select<{ id: string }>(
      `SELECT t.id FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id
       WHERE p.network = $1 AND p.from_address = $2 AND p.nonce < $3 AND p.operation_hash IS NOT NULL
         AND p.state = 'Broadcasted' AND t.state = 'Broadcasted' AND NOT EXISTS (
           SELECT 1 FROM transfers r JOIN payloads q ON q.org_id = r.org_id AND q.transfer_id = r.id
           WHERE r.org_id = t.org_id AND (r.id = coalesce(t.claims_of, t.id) OR r.claims_of = coalesce(t.claims_of, t.id))
             AND q.state IN ('Included', 'Final'))`,
      [network, address, chainCount],
    );
    return rows.map(({ id }) => id);
  },

  /** The senders of the payloads. Omits a payload with a Solana blockhash, because such a payload expires by itself. */
  async sendersOf(reader: Reader, payloadIds: readonly string[]): Promise<readonly string[]> {
    const rows = await reader.select<{ address: string }>(
      `SELECT DISTINCT p.from_address AS address FROM payloads p
       WHERE p.id = ANY($1) AND p.context #>> '{lifetime,kind}' IS DISTINCT FROM 'blockhash' ORDER BY 1`,
      [payloadIds],
    );
    return rows.map(({ address }) => address);
  },

  holder: (reader: Reader, { network, address }: LaneKey, nonce: number): Promise<ClaimEntity | undefined> =>
    reader.row(ClaimEntity, `WHERE t.network = $1 AND t.lane = $2 AND t.kind = 'nonce' AND t.value = $3`, [
      network,
      address,
      nonce,
    ]),

  /** The last request that had claimed this nonce and ended without a signature. */
  async leftBehind(tx: Tx, { network, address }: LaneKey, nonce: number): Promise<string | undefined> {
    const [row] = await tx.query<{ id: string }>(
      `SELECT t.id FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id
       WHERE p.org_id = $1 AND p.network = $2 AND p.from_address = $3 AND p.nonce = $4 AND p.raw_hex IS NULL
         AND t.state IN ${FAILED_TRANSFERS} AND (t.claims_of IS NULL OR t.fee_sponsor_id IS NOT NULL)
       ORDER BY t.id DESC LIMIT 1`,
      [tx.orgId, network, address, nonce],
    );
    return row?.id;
  },

  /**
   * Counts the requests that the service itself has made for this nonce or for the request `root`, on behalf of lane care.
   * `agoMs` is the time since the last of these requests, or infinity.
   */
  async attempts(
    tx: Tx,
    { network, address }: LaneKey,
    { root, nonce }: { readonly root: string | null; readonly nonce: number | null },
  ): Promise<{ readonly count: number; readonly agoMs: number }> {
    const [row] = await tx.query<{ count: number; agoMs: number | null }>(
      `SELECT count(*)::integer AS count,
              (extract(epoch FROM clock_timestamp() - max(date_requested)) * 1000)::float8 AS "agoMs"
       FROM transfers WHERE org_id = $1 AND network = $2 AND lane_address = $3 AND made_by_service
         AND (claims_of = $4 OR pays_for_id = $4 OR cancels_signature_id = $4 OR asked_nonce = $5)`,
      [tx.orgId, network, address, root, nonce],
    );
    return { count: row?.count ?? 0, agoMs: row?.agoMs ?? Number.POSITIVE_INFINITY };
  },

  /**
   * `found` is null if the lane has no trouble, that is, nothing keeps its transactions out of blocks. An unchanged trouble keeps
   * its start time.
   */
  async note(tx: Tx, { network, address }: LaneKey, found: Omit<LaneTrouble, 'since'> | null) {
    const trouble: LaneTrouble | null = found && { ...found, since: (await tx.clock()).toISOString() };
    await tx.query(
      `UPDATE lanes SET trouble = $4::jsonb WHERE org_id = $1 AND network = $2 AND address = $3
         AND (trouble ->> 'kind', trouble ->> 'nonce', trouble ->> 'transferId')
           IS DISTINCT FROM ($4::jsonb ->> 'kind', $4::jsonb ->> 'nonce', $4::jsonb ->> 'transferId')`,
      [tx.orgId, network, address, trouble === null ? null : JSON.stringify(trouble)],
    );
  },

  /**
   * The trouble that blocks this payload. A trouble with a nonce also blocks all higher nonces; any other trouble blocks one
   * transfer.
   */
  async troubleOf(
    reader: Reader,
    { network, address }: LaneKey,
    { nonce, transferId }: Pick<PayloadEntity, 'nonce' | 'transferId'>,
  ): Promise<LaneTrouble | undefined> {
    const lane = await reader.row(LaneEntity, 'WHERE t.network = $1 AND t.address = $2', [network, address]);
    const trouble = lane?.trouble;
    if (!trouble) return undefined;
    const isHeld = trouble.nonce === null ? trouble.transferId === transferId : nonce !== null && trouble.nonce <= nonce;
    return isHeld ? trouble : undefined;
  },
};
