import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';

export type ReceivedCoin = {
  readonly subjectId: string;
  readonly txid: string;
  readonly vout: number;
  readonly amountUnits: bigint;
};
export type AddressedCoin = Omit<ReceivedCoin, 'subjectId'> & { readonly address: string };

export const receivedCoinStore = {
  /** A coin that already has a row stays unchanged. */
  async put(tx: Tx, network: NetworkName, coins: readonly ReceivedCoin[]): Promise<void> {
    if (coins.length === 0) return;
    const rows = coins.map(({ subjectId, amountUnits, ...coin }) => ({
      ...coin,
      subject_id: subjectId,
      units: String(amountUnits),
    }));
    await tx.query(
      `INSERT INTO received_coins (network, txid, vout, org_id, subject_id, amount_units)
       SELECT $1, txid, vout, $2, subject_id, units
       FROM jsonb_to_recordset($3::jsonb) AS r (txid text, vout integer, subject_id text, units numeric) ON CONFLICT DO NOTHING`,
      [network, tx.orgId, JSON.stringify(rows)],
    );
  },

  /** The organisation's coins that these transactions created. */
  async ofTransactions(reader: Reader, network: NetworkName, txids: readonly string[]): Promise<AddressedCoin[]> {
    const rows = await reader.select<Omit<AddressedCoin, 'amountUnits'> & { readonly units: string }>(
      `SELECT c.txid, c.vout, c.amount_units AS units, w.address FROM received_coins c
       JOIN watched_addresses w ON w.org_id = c.org_id AND w.subject_id = c.subject_id
       WHERE c.network = $1 AND c.txid = ANY($2)`,
      [network, txids],
    );
    return rows.map(({ units, ...coin }) => ({ ...coin, amountUnits: BigInt(units) }));
  },
};
