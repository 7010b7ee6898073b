import type { Mail, MailData } from '../../domain/mails';
import type { Reader, Tx } from '../../entities/database';
import { mailStore } from '../../entities/mails/mail.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import type { SecretBox } from '../../platform/secret-box';
import { SEND_MAIL } from '../../workflows/send-mail.messages';

export type Mailing = { readonly mailContents: SecretBox };

/**
 * After this time the worker stops retrying a mail that has no expiry of its own. A notice that arrives later is no longer
 * useful.
 */
const NOTICE_LIFETIME_MS = 24 * 3_600_000;

/** The sealed content can be opened only with the same context. */
export const mailContext = (orgId: string, mailId: string): string => `${orgId}/${mailId}`;

/**
 * Call this function in the transaction of the change that the mail reports. Pass the returned dispatch to `tryNow` after the
 * commit. A mail with a code expires with the code.
 */
export async function queueMail(tx: Tx, { mailContents }: Mailing, mail: Mail): Promise<Dispatch> {
  const { userId, template, to, data } = mail;
  const id = newId('mail');
  const sealedContent = mailContents.seal(JSON.stringify({ to, template, data }), mailContext(tx.orgId, id));
  const dateExpires = expiryOf(data) ?? new Date((await tx.clock()).getTime() + NOTICE_LIFETIME_MS);
  await mailStore.add(tx, { id, userId, template, sealedContent, dateExpires });
  const start: Dispatch = {
    kind: 'start',
    aggregateId: id,
    dedupeKey: `start:${id}`,
    routing: { workflow: SEND_MAIL, summary: `Send a mail: ${template}` },
  };
  await outboxStore.add(tx, start);
  return start;
}

const expiryOf = (data: MailData[keyof MailData]): Date | undefined =>
  'dateExpires' in data ? new Date(data.dateExpires) : undefined;

/**
 * The active people among these users who can be reached by mail. A program has no mail address, and a user name need not be a
 * mail address.
 */
export const mailable = (reader: Reader, userIds: readonly string[]): Promise<UserEntity[]> =>
  reader.rows(
    UserEntity,
    `WHERE t.id = ANY($1) AND t.is_active AND t.date_archived IS NULL AND NOT t.is_service_account AND t.username LIKE '%_@_%' ORDER BY t.id`,
    [userIds],
  );
