import type { Reader, Tx } from '../database';
import { FeeSponsorEntity } from './fee-sponsor.entity';
import { SponsoredFeeEntity } from './sponsored-fee.entity';

export type NewFeeSponsor = Pick<FeeSponsorEntity, 'id' | 'name' | 'walletId' | 'network' | 'allowEndUser' | 'userActionId'>;
export type NewSponsoredFee = Omit<SponsoredFeeEntity, 'orgId'>;

/** SQL: the id of a request without its prefix. The index of `sponsored_fees` has exactly this expression. */
const BY_TIME = `substr(t.request_id, strpos(t.request_id, '-') + 1) COLLATE "C"`;

export const feeSponsorStore = {
  /** Returns false if the wallet is already a sponsor. */
  async add(tx: Tx, sponsor: NewFeeSponsor): Promise<boolean> {
    return tx.insertOnce(FeeSponsorEntity, { orgId: tx.orgId, status: 'Active', ...sponsor });
  },

  async find(reader: Reader, id: string): Promise<FeeSponsorEntity | undefined> {
    return reader.row(FeeSponsorEntity, 'WHERE t.id = $1', [id]);
  },

  async lock(tx: Tx, id: string): Promise<FeeSponsorEntity | undefined> {
    return tx.row(FeeSponsorEntity, 'WHERE t.id = $1 FOR UPDATE', [id]);
  },

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, after: string | undefined, limit: number): Promise<FeeSponsorEntity[]> {
    return reader.rows(FeeSponsorEntity, 'WHERE ($1::text IS NULL OR t.id < $1 COLLATE "C") ORDER BY t.id DESC LIMIT $2', [
      after ?? null,
      limit + 1,
    ]);
  },

  async setStatus(tx: Tx, id: string, status: FeeSponsorEntity['status']): Promise<void> {
    await tx.update(FeeSponsorEntity, { id }, { status });
  },

  /**
   * Newest request first, plus one row if there is a next page. The order ignores the prefix of the request ids, so transfers
   * and transactions share one order by time.
   */
  async fees(reader: Reader, sponsorId: string, after: string | undefined, limit: number): Promise<SponsoredFeeEntity[]> {
    return reader.rows(
      SponsoredFeeEntity,
      `WHERE t.fee_sponsor_id = $1 AND ($2::text IS NULL OR ${BY_TIME} < $2 COLLATE "C") ORDER BY ${BY_TIME} DESC LIMIT $3`,
      [sponsorId, after === undefined ? null : after.slice(after.indexOf('-') + 1), limit + 1],
    );
  },

  /** A fee that is already stored stays unchanged. */
  async addFee(tx: Tx, fee: NewSponsoredFee): Promise<void> {
    await tx.insertOnce(SponsoredFeeEntity, { orgId: tx.orgId, ...fee });
  },
};
