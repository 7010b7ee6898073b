import type { Screening, ScreeningQuestion, ScreeningVendor } from '../../domain/screenings';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { ScreeningEntity } from './screening.entity';

type Asked = { readonly activityId: string; readonly vendor: ScreeningVendor };

export const screeningStore = {
  find: (reader: Reader, id: string): Promise<ScreeningEntity | undefined> =>
    reader.row(ScreeningEntity, 'WHERE t.id = $1', [id]),

  latest: (reader: Reader, { activityId, vendor }: Asked): Promise<ScreeningEntity | undefined> =>
    reader.row(ScreeningEntity, 'WHERE t.activity_id = $1 AND t.vendor = $2 ORDER BY t.attempt DESC LIMIT 1', [
      activityId,
      vendor,
    ]),

  async add(tx: Tx, asked: Asked & { readonly attempt: number; readonly question: ScreeningQuestion }): Promise<string> {
    const id = newId('screening');
    await tx.insert(ScreeningEntity, { orgId: tx.orgId, id, ...asked });
    return id;
  },

  /** Keeps a result that is already stored. */
  async answer(tx: Tx, id: string, result: Screening['result']): Promise<void> {
    await tx.query(
      `UPDATE screenings SET result = $3, date_answered = clock_timestamp() WHERE org_id = $1 AND id = $2 AND result IS NULL`,
      [tx.orgId, id, JSON.stringify(result)],
    );
  },

  async keepUnreadable(tx: Tx, id: string, reply: string): Promise<void> {
    await tx.query(`UPDATE screenings SET unreadable_reply = $3 WHERE org_id = $1 AND id = $2`, [tx.orgId, id, reply]);
  },
};
