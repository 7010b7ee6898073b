import type { NetworkName } from '../../domain/networks';
import type { KeyedNonce } from '../../domain/nonces';
import { HIDDEN_KINDS } from '../../domain/transfers';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { ENDED_TRANSFERS } from '../ended-states';
import { ClaimEntity, type ClaimKind } from './claim.entity';
import { coinStore } from './coin.store';
import { LaneEntity } from './lane.entity';
import type { OutgoingEntity } from './outgoing.entity';

type LaneKey = { readonly network: NetworkName; readonly address: string };

/** A token that pays fees on a network without a native coin. One unit of the token is worth `scale` units of the fee. */
export type CoinToken = { readonly contract: string; readonly scale: bigint };

export type LaneView = {
  /**
   * Nonces at or above the chain's count that have a claim (reservation) in any state. Includes the nonces of authorizations
   * (EIP-7702) in the claiming transactions.
   */
  readonly taken: readonly number[];
  /** The nonces that other requests specify but have not claimed yet. */
  readonly asked: readonly number[];
  /** The number of claimed nonces whose transaction is not final. */
  readonly open: number;
  /**
   * The part of `open` that was in no block when the chain's count was read. Nodes keep only a few such transactions
   * per sender.
   */
  readonly unmined: number;
  /** The number of other transfers that have waited longer for the lane. */
  readonly ahead: number;
  /**
   * The maximum amount that transactions from this sender may still take from the balance, in smallest units. The caller must
   * read the balance together with the chain's count. The sum includes a transaction that ended after the balance was read. On a
   * network without a native coin, the units are those of the token that pays fees.
   */
  readonly openNativeUnits: bigint;
  readonly openTokenUnits: bigint;
};

const UNCLAIMED = `('Requested', 'AwaitingApproval', 'Approved')`;

type Taken = { readonly value: number | null; readonly own: readonly number[] | null };

type Claimed = Taken & {
  readonly state: string;
  readonly isSignature: boolean;
  readonly native: string;
  readonly token: string;
};

const takenOf = (claims: readonly Taken[], chainCount: number): number[] =>
  claims.flatMap(({ value, own }) => [value ?? [], ...(own ?? [])].flat()).filter((nonce) => nonce >= chainCount);

type Claim = Pick<ClaimEntity, 'kind' | 'key' | 'lane' | 'value'>;

export const nonceClaim = (address: string, nonce: number): Claim => ({
  kind: 'nonce',
  key: `${address}:${nonce}`,
  lane: address,
  value: nonce,
});

/** Each nonce key has its own nonce count. */
export const keyedNonceClaim = (address: string, { nonceKey, nonce }: KeyedNonce): Claim => ({
  kind: 'keyed-nonce',
  key: keyOf(address, { nonceKey, nonce }),
  lane: address,
  value: null,
});
const keyOf = (address: string, { nonceKey, nonce }: KeyedNonce): string => `${address}:${nonceKey}:${nonce}`;

/** The entry point contract counts these nonces separately from the nonces of accounts (ERC-4337). */
export const operationClaim = (address: string, nonce: bigint): Claim => ({
  kind: 'operation',
  key: `${address}:${nonce}`,
  lane: address,
  value: null,
});

/** Nonces are assigned under the lock of the lane's row (P7). */
export const laneStore = {
  /** Locks the lane (the queue of one sender on one network), and creates it on first use. */
  async lock(tx: Tx, { network, address }: LaneKey): Promise<void> {
    const key = { orgId: tx.orgId, network, address };
    await Promise.all([
      tx.ensure(LaneEntity, key),
      tx.query('SELECT 1 FROM lanes WHERE org_id = $1 AND network = $2 AND address = $3 FOR UPDATE', Object.values(key)),
    ]);
  },

  /** The caller has locked the lane. */
  async view(
    tx: Tx,
    { network, address }: LaneKey,
    transfer: Pick<OutgoingEntity, 'id' | 'contract' | 'waitingSince'>,
    chainCount: number,
    coinToken?: CoinToken,
  ): Promise<LaneView> {
    const { contract: coin, scale } = coinToken ?? { contract: null, scale: 0n };
    // The lower bound on `n.value` keeps every relevant row, and spares Postgres from reading the sender's older nonces.
    const claimed = tx.query<Claimed>(
      `SELECT c.value, c.state, c.signature_id IS NOT NULL AS "isSignature", t.terms -> 'ownNonces' AS own,
              greatest(
                CASE WHEN t.sponsor_address IS NULL OR (c.lane = t.sponsor_address AND c.kind = 'nonce')
                  THEN CASE WHEN p.context ->> 'feeCurrency' IS NULL THEN greatest(p.max_fee_units, rival.max_fee_units) ELSE 0 END
                  ELSE 0 END
                + CASE WHEN t.sponsor_address IS NOT NULL AND c.kind = 'nonce' THEN 0
                  WHEN t.contract IS NULL THEN t.amount_units WHEN t.contract = $6 THEN t.amount_units * $7::numeric ELSE 0 END,
                s.native_units, 0) AS native,
              CASE WHEN t.sponsor_address IS NOT NULL AND c.kind = 'nonce' THEN 0
                ELSE CASE WHEN t.contract = $4 AND t.asset_kind <> ALL($8) THEN t.amount_units WHEN s.contract = $4 THEN coalesce(s.token_units, 0) ELSE 0 END
                  + CASE WHEN p.context ->> 'feeCurrency' = $4 THEN greatest(p.max_fee_units, rival.max_fee_units) ELSE 0 END
                END AS token
       FROM (
         SELECT n.* FROM claims n
         WHERE n.org_id = $1 AND n.network = $2 AND n.lane = $3 AND (n.state <> 'Consumed' OR n.value >= $5)
           AND n.value >= LEAST($5::integer, (
             SELECT min(o.value) FROM claims o
             WHERE o.org_id = $1 AND o.network = $2 AND o.lane = $3 AND o.state <> 'Consumed'))
         UNION ALL
         SELECT f.* FROM claims f
         WHERE f.org_id = $1 AND f.network = $2 AND f.lane = $3 AND f.value IS NULL AND f.state <> 'Consumed') c
       LEFT JOIN transfers t ON t.org_id = c.org_id AND t.id = c.transfer_id
       LEFT JOIN signatures s ON s.org_id = c.org_id AND s.id = coalesce(c.signature_id, t.cancels_signature_id)
       LEFT JOIN payloads p ON p.org_id = c.org_id AND p.transfer_id = c.transfer_id
       LEFT JOIN LATERAL (
         SELECT max(q.max_fee_units) AS max_fee_units FROM transfers m
         JOIN payloads q ON q.org_id = m.org_id AND q.transfer_id = m.id
         WHERE m.org_id = c.org_id AND m.claims_of = c.transfer_id) rival ON true`,
      [tx.orgId, network, address, transfer.contract, chainCount, coin, String(scale), HIDDEN_KINDS],
    );
    const standing = tx.query<{ ahead: number; asked: readonly number[] }>(
      `SELECT count(*)::integer AS ahead,
              (SELECT coalesce(array_agg(a.asked_nonce), '{}') FROM transfers a
               WHERE a.org_id = $1 AND a.network = $2 AND a.lane_address = $3 AND a.asked_nonce IS NOT NULL
                 AND a.state IN ${UNCLAIMED} AND a.id <> $4) AS asked
       FROM transfers
       WHERE org_id = $1 AND network = $2 AND lane_address = $3 AND waiting_since IS NOT NULL AND state = 'Approved' AND id <> $4
         AND ($5::timestamptz IS NULL OR (waiting_since, id) < ($5, $4))`,
      [tx.orgId, network, address, transfer.id, transfer.waitingSince],
    );
    const [found, [waiting]] = await Promise.all([claimed, standing]);
    // The caller who requested the signature sends the transaction, so only the chain's count shows that the nonce is used.
    const claims = found.filter(({ isSignature, value }) => !isSignature || (value ?? 0) >= chainCount);
    const open = claims.filter(({ state, value }) => state !== 'Consumed' && value !== null);
    return {
      taken: takenOf(claims, chainCount),
      asked: waiting?.asked ?? [],
      open: open.length,
      unmined: open.filter(({ value }) => value !== null && value >= chainCount).length,
      ahead: waiting?.ahead ?? 0,
      openNativeUnits: claims.reduce((sum, { native }) => sum + BigInt(native), 0n),
      openTokenUnits: claims.reduce((sum, { token }) => sum + BigInt(token), 0n),
    };
  },

  /** Returns the nonces of `view` without the lock, for callers that only read. */
  async nonces(reader: Reader, { network, address }: LaneKey, chainCount: number): Promise<Pick<LaneView, 'taken' | 'asked'>> {
    const [claims, asked] = await Promise.all([
      reader.select<Taken>(
        `SELECT c.value, t.terms -> 'ownNonces' AS own FROM claims c
         LEFT JOIN transfers t ON t.org_id = c.org_id AND t.id = c.transfer_id
         WHERE c.network = $1 AND c.lane = $2 AND (c.state <> 'Consumed' OR c.value >= $3)`,
        [network, address, chainCount],
      ),
      reader.select<{ nonce: number }>(
        `SELECT asked_nonce AS nonce FROM transfers
         WHERE network = $1 AND lane_address = $2 AND asked_nonce IS NOT NULL AND state IN ${UNCLAIMED}`,
        [network, address],
      ),
    ]);
    return { taken: takenOf(claims, chainCount), asked: asked.map(({ nonce }) => nonce) };
  },

  async asking(tx: Tx, { network, address }: LaneKey, nonce: number): Promise<readonly string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM transfers
       WHERE org_id = $1 AND network = $2 AND lane_address = $3 AND asked_nonce = $4 AND state = 'Approved' ORDER BY id`,
      [tx.orgId, network, address, nonce],
    );
    return rows.map(({ id }) => id);
  },

  /**
   * `own`: the account has an open claim without a nonce key, at or above the chain's count. `keyed` contains the nonce keys with
   * open claims.
   */
  async underWay(
    reader: Reader,
    { network, address }: LaneKey,
    chainCount: number,
  ): Promise<{ readonly own: boolean; readonly keyed: ReadonlySet<bigint> }> {
    const claims = await reader.select<{ kind: ClaimKind; key: string }>(
      `SELECT c.kind, c.key FROM claims c
       WHERE c.network = $1 AND c.lane = $2 AND c.state <> 'Consumed' AND (c.kind = 'keyed-nonce' OR c.value >= $3)`,
      [network, address, chainCount],
    );
    const keyed = claims.filter(({ kind }) => kind === 'keyed-nonce').map(({ key }) => BigInt(key.split(':')[1] ?? 0));
    return { own: keyed.length < claims.length, keyed: new Set(keyed) };
  },

  /**
   * The first nonce in `next` without a claim. A nonce with a consumed claim is also skipped, because a node that is not up to
   * date may return used nonces.
   */
  async freeKeyed(tx: Tx, { network, address }: LaneKey, next: readonly KeyedNonce[]): Promise<KeyedNonce | undefined> {
    if (next.length === 0) return undefined;
    const rows = await tx.query<{ key: string }>(
      `SELECT key FROM claims WHERE org_id = $1 AND network = $2 AND kind = 'keyed-nonce' AND key = ANY($3)`,
      [tx.orgId, network, next.map((one) => keyOf(address, one))],
    );
    const taken = new Set(rows.map(({ key }) => key));
    return next.find((one) => !taken.has(keyOf(address, one)));
  },

  /**
   * A left coin passes from the request that had claimed the coin to this transfer. The caller has locked the lane. If another
   * request has the claim, the unique constraint on (network, kind, key) makes the database transaction fail.
   */
  async claim(tx: Tx, transfer: Pick<OutgoingEntity, 'id' | 'network'>, claim: Claim): Promise<void> {
    if (claim.kind === 'utxo' && (await coinStore.takeLeft(tx, transfer, claim.key))) return;
    await tx.insert(ClaimEntity, {
      ...claim,
      orgId: tx.orgId,
      id: newId('claim'),
      network: transfer.network,
      transferId: transfer.id,
      state: 'Signing',
    });
  },

  /** Whether the claim belongs to `claimsOf` or `cancelsSignatureId` and is not consumed. */
  async shares(
    tx: Tx,
    { claimsOf, cancelsSignatureId }: Pick<OutgoingEntity, 'claimsOf' | 'cancelsSignatureId'>,
    kind: ClaimKind,
    key: string,
  ): Promise<boolean> {
    const claim = await tx.row(
      ClaimEntity,
      `WHERE t.org_id = $1 AND (t.transfer_id = $2 OR t.signature_id = $5) AND t.kind = $3 AND t.key = $4 AND t.state <> 'Consumed'`,
      [tx.orgId, claimsOf, kind, key, cancelsSignatureId],
    );
    return claim !== undefined;
  },

  /** Stops at a claim that belongs to another request and returns that claim. The claims that were already made remain. */
  async claimForSignature(
    tx: Tx,
    network: NetworkName,
    signatureId: string,
    claims: readonly Claim[],
  ): Promise<Claim | undefined> {
    for (const claim of claims) {
      const row = { ...claim, orgId: tx.orgId, id: newId('claim'), network, signatureId, state: 'Signing' } as const;
      if (!(await tx.insertOnce(ClaimEntity, row))) return claim;
    }
    return undefined;
  },

  async isSignatureOpen(tx: Tx, signatureId: string): Promise<boolean> {
    const where = `WHERE t.org_id = $1 AND t.signature_id = $2 AND t.state <> 'Consumed' LIMIT 1`;
    return (await tx.row(ClaimEntity, where, [tx.orgId, signatureId])) !== undefined;
  },

  /** Passes the open claims of the signature to the transaction that cancels the signature. */
  takeOver: (tx: Tx, { id, cancelsSignatureId }: Pick<OutgoingEntity, 'id' | 'cancelsSignatureId'>): Promise<unknown> =>
    tx.query(
      `UPDATE claims SET transfer_id = $3, signature_id = NULL WHERE org_id = $1 AND signature_id = $2 AND state <> 'Consumed'`,
      [tx.orgId, cancelsSignatureId, id],
    ),

  /** Call this only for a request that ends without a signature, because signed bytes might still use the claims. */
  releaseSignature: (tx: Tx, signatureId: string): Promise<number> => tx.remove(ClaimEntity, { signatureId }),

  /**
   * Frees the claims of a transfer that has ended without a signature. Shared claims stay while another request with the claims
   * is open or signed. Claims that were taken over from a signature return to the signature. The caller has locked the owner of
   * the shared claims.
   */
  async release(tx: Tx, { id, claimsOf }: Pick<OutgoingEntity, 'id' | 'claimsOf'>): Promise<number> {
    const own = claimsOf === null ? 0 : await tx.remove(ClaimEntity, { transferId: id });
    const isFree = `c.org_id = $1 AND c.transfer_id = $2 AND NOT EXISTS (
         SELECT 1 FROM transfers t LEFT JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id
         WHERE t.org_id = $1 AND (t.id = $2 OR t.claims_of = $2) AND t.id <> $3
           AND (t.state NOT IN ${ENDED_TRANSFERS} OR p.raw_hex IS NOT NULL))`;
    const shared = [tx.orgId, claimsOf ?? id, id];
    await tx.query(
      `UPDATE claims c SET signature_id = r.cancels_signature_id, transfer_id = NULL FROM transfers r
       WHERE r.org_id = $1 AND r.id = $2 AND r.cancels_signature_id IS NOT NULL AND ${isFree}`,
      shared,
    );
    // A left coin becomes left again, because the signing log still has the earlier request's signature over the coin.
    const left = await tx.query(
      `UPDATE claims c SET transfer_id = c.after_id, after_id = NULL, state = 'Consumed', is_left = true
       WHERE c.after_id IS NOT NULL AND ${isFree} RETURNING c.id`,
      shared,
    );
    return own + left.length + (await tx.query(`DELETE FROM claims c WHERE ${isFree} RETURNING c.id`, shared)).length;
  },

  consume: (tx: Tx, transferId: string): Promise<number> => tx.update(ClaimEntity, { transferId }, { state: 'Consumed' }),

  /** Opens the claims again, because the chain may include the dropped transaction again (S14). */
  async takeAgain(tx: Tx, root: string, id: string): Promise<void> {
    await tx.query(`UPDATE claims SET state = 'Signing', is_left = false WHERE org_id = $1 AND transfer_id IN ($2, $3)`, [
      tx.orgId,
      root,
      id,
    ]);
  },

  /**
   * Settles the claims of competing requests once the winner is final. The shared claims and the winner's claims are used up.
   * The nonce of a signed loser stays claimed, and its coins become left coins. All other claims of the losers are free again.
   */
  async consumeShared(tx: Tx, root: string, winner: string): Promise<void> {
    await tx.query(`UPDATE claims SET state = 'Consumed' WHERE org_id = $1 AND transfer_id IN ($2, $3)`, [
      tx.orgId,
      root,
      winner,
    ]);
    // The signed bytes of a loser might still get into a block, so its sponsor nonce stays claimed.
    await tx.query(
      `UPDATE claims c SET state = 'Consumed' FROM transfers t JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id
       WHERE c.org_id = $1 AND t.org_id = $1 AND t.claims_of = $2 AND t.id <> $3 AND c.transfer_id = t.id AND c.kind = 'nonce'
         AND p.raw_hex IS NOT NULL`,
      [tx.orgId, root, winner],
    );
    // A later order to the signer that spends such a coin must contain the id of the loser.
    await tx.query(
      `UPDATE claims c SET state = 'Consumed', is_left = true FROM transfers t
       JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id AND p.raw_hex IS NOT NULL
       WHERE c.org_id = $1 AND t.org_id = $1 AND t.claims_of = $2 AND t.id <> $3 AND c.transfer_id = t.id AND c.kind = 'utxo'
         AND c.state <> 'Consumed'`,
      [tx.orgId, root, winner],
    );
    await tx.query(
      `DELETE FROM claims WHERE org_id = $1 AND state <> 'Consumed' AND transfer_id IN (
         SELECT id FROM transfers WHERE org_id = $1 AND claims_of = $2 AND id <> $3)`,
      [tx.orgId, root, winner],
    );
  },

  /** `open` counts the transfers with open claims in the lane. A caller must lock the lanes in the order of the result. */
  waitedFor: (tx: Tx, transferIds: readonly string[]): Promise<(LaneKey & { readonly open: number })[]> =>
    tx.query(
      `SELECT t.network, t.lane_address AS address,
              (SELECT count(DISTINCT c.transfer_id)::integer FROM claims c
               WHERE c.org_id = $1 AND c.network = t.network AND c.lane = t.lane_address AND c.state <> 'Consumed'
                 AND c.kind <> 'operation' AND c.transfer_id IS NOT NULL) AS open
       FROM transfers t
       WHERE t.org_id = $1 AND t.id = ANY($2) AND t.waiting_since IS NOT NULL AND t.state = 'Approved'
       GROUP BY t.network, t.lane_address ORDER BY t.network, t.lane_address COLLATE "C"`,
      [tx.orgId, transferIds],
    ),

  /** The transfer that has waited longest comes first. With `detail`, returns only transfers that wait for this reason. */
  async nextWaiting(tx: Tx, { network, address }: LaneKey, limit: number, detail?: 'Funds'): Promise<readonly string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM transfers
       WHERE org_id = $1 AND network = $2 AND lane_address = $3 AND waiting_since IS NOT NULL AND state = 'Approved'
         AND ($5::text IS NULL OR hindrance ->> 'detail' = $5)
       ORDER BY waiting_since, id LIMIT $4`,
      [tx.orgId, network, address, limit, detail ?? null],
    );
    return rows.map(({ id }) => id);
  },
};
