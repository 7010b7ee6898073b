import { z } from 'zod';
import { mailWords } from '../../application/mails/mail-words';
import { mailContext } from '../../application/mails/mails';
import { invariant } from '../../domain/errors';
import type { Mail, MailEnd } from '../../domain/mails';
import type { Database } from '../../entities/database';
import { mailStore } from '../../entities/mails/mail.store';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import type { Mailer } from '../../platform/mailer';
import type { SecretBox } from '../../platform/secret-box';

type Dependencies = {
  readonly db: Database;
  readonly mailer: Mailer;
  readonly mailContents: SecretBox;
  readonly pageUrl: string | undefined;
  readonly onMailEnd: (end: MailEnd) => void;
};

/** `Gone`: an earlier attempt has already ended the mail. */
export type MailOutcome = MailEnd | 'Gone';

const Content = z.object({ to: z.string(), template: z.string(), data: z.record(z.string(), z.unknown()) });

export function createMailActivities({ db, mailer, mailContents, pageUrl, onMailEnd }: Dependencies) {
  const sendIt = async (orgId: string, mailId: string, sealed: string): Promise<MailEnd> => {
    // The service itself sealed this content, so the form of `data` needs no check.
    const { to, ...mail } = Content.parse(JSON.parse(mailContents.open(sealed, mailContext(orgId, mailId))));
    const organization = await db.read(orgId).row(OrganizationEntity, 'WHERE t.id = $1', [orgId]);
    const words = mailWords(mail as Pick<Mail, 'template' | 'data'>, { orgId, orgName: organization?.name ?? '', to, pageUrl });
    return (await mailer.send({ messageId: mailId, to, ...words })) ? 'Sent' : 'Refused';
  };

  return {
    /** After a crash before the commit, the next attempt sends the mail once more, under the same message id. */
    async sendMail({ orgId, mailId }: { readonly orgId: string; readonly mailId: string }): Promise<MailOutcome> {
      const mail = await mailStore.findWaiting(db.read(orgId), mailId);
      if (!mail) return 'Gone';
      invariant(mail.sealedContent !== null, `the mail ${mailId} keeps its content until it has ended`);
      const end = mail.isExpired ? 'Expired' : await sendIt(orgId, mailId, mail.sealedContent);
      await db.withOrg(orgId, (tx) => mailStore.end(tx, mailId, end));
      onMailEnd(end);
      return end;
    },
  };
}

export type MailActivities = ReturnType<typeof createMailActivities>;
