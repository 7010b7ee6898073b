import type { MailEnd } from '../../domain/mails';
import type { Reader, Tx } from '../database';
import { MailEntity } from './mail.entity';

type NewMail = Pick<MailEntity, 'id' | 'userId' | 'template' | 'sealedContent' | 'dateExpires'>;
export type WaitingMail = Pick<MailEntity, 'id' | 'sealedContent'> & { readonly isExpired: boolean };

export const mailStore = {
  async add(tx: Tx, mail: NewMail): Promise<void> {
    await tx.insert(MailEntity, { orgId: tx.orgId, status: 'Waiting', ...mail });
  },

  /** The database's clock decides whether the mail has expired. */
  async findWaiting(reader: Reader, id: string): Promise<WaitingMail | undefined> {
    const [row] = await reader.select<WaitingMail>(
      `SELECT t.id, t.sealed_content AS "sealedContent", t.date_expires <= clock_timestamp() AS "isExpired"
       FROM mails t WHERE t.id = $1 AND t.status = 'Waiting'`,
      [id],
    );
    return row;
  },

  /** Ends a waiting mail and deletes its content. */
  async end(tx: Tx, id: string, status: MailEnd): Promise<void> {
    await tx.query(
      `UPDATE mails SET status = $3, sealed_content = NULL, date_ended = clock_timestamp()
       WHERE org_id = $1 AND id = $2 AND status = 'Waiting'`,
      [tx.orgId, id, status],
    );
  },
};
