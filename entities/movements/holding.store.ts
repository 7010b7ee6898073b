import type { Reader, Tx } from '../database';
import { HoldingEntity } from './holding.entity';

export type NotedAsset = Pick<HoldingEntity, 'walletId' | 'contract' | 'network' | 'symbol'>;
export type Balance = Pick<HoldingEntity, 'contract' | 'seen'> & { readonly units: bigint };

export const holdingStore = {
  /** Marks these assets, so that their balances are read again. The rows are locked in the order of their keys. */
  async note(tx: Tx, moved: readonly NotedAsset[]): Promise<void> {
    if (moved.length === 0) return;
    await tx.query(
      `INSERT INTO holdings AS h (org_id, wallet_id, contract, network, symbol)
       SELECT DISTINCT ON (r."walletId", r.contract) $1, r."walletId", r.contract, r.network, r.symbol
       FROM jsonb_to_recordset($2::jsonb) AS r ("walletId" text, contract text, network text, symbol text)
       ORDER BY r."walletId", r.contract
       ON CONFLICT (org_id, wallet_id, contract) DO UPDATE SET seen = h.seen + 1, symbol = EXCLUDED.symbol`,
      [tx.orgId, JSON.stringify(moved)],
    );
  },

  due: (reader: Reader, walletId: string): Promise<HoldingEntity[]> =>
    reader.rows(HoldingEntity, 'WHERE t.wallet_id = $1 AND t.seen > t.read ORDER BY t.contract', [walletId]),

  /**
   * A reading that began after fewer changes than the stored reading has no effect. `balances` are in the order of their
   * contracts.
   */
  async keep(tx: Tx, walletId: string, balances: readonly Balance[]): Promise<void> {
    for (const { contract, seen, units } of balances)
      await tx.query(
        `UPDATE holdings SET units = $4, read = $5, date_read = clock_timestamp()
         WHERE org_id = $1 AND wallet_id = $2 AND contract = $3 AND read < $5`,
        [tx.orgId, walletId, contract, String(units), seen],
      );
  },
};
