import type { Database } from '../../entities/database';
import { MailEntity } from '../../entities/mails/mail.entity';
import { createSecretBox } from '../../platform/secret-box';

export type QueuedMail = { readonly template: string; readonly to: string; readonly data: Readonly<Record<string, string>> };

/** The waiting mails for a person, oldest first, opened with the data key. */
export async function mailsFor(db: Database, dataKek: string, orgId: string, userId: string): Promise<QueuedMail[]> {
  const box = createSecretBox(Buffer.from(dataKek, 'hex'), 'mails');
  const rows = await db.read(orgId).rows(MailEntity, `WHERE t.user_id = $1 AND t.status = 'Waiting' ORDER BY t.id`, [userId]);
  return rows.map(({ id, sealedContent }) => {
    const { to, template, data } = JSON.parse(box.open(sealedContent ?? '', `${orgId}/${id}`)) as QueuedMail;
    return { to, template, data };
  });
}
