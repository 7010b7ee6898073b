import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { MailActivities, MailOutcome } from '../activities/mails/mails';
import type { SendMailInput } from './send-mail.messages';

const { sendMail: send } = proxyActivities<MailActivities>({
  startToCloseTimeout: '1 minute',
  // Attempts are unlimited: the activity itself decides when the mail has expired.
  retry: { initialInterval: '2 seconds', maximumInterval: '5 minutes' },
  summary: 'Hand the mail to the SMTP server',
});

/** Retries while the mail server is down, until the mail expires. */
export async function sendMail({ orgId, id }: SendMailInput): Promise<MailOutcome> {
  setCurrentDetails('Waiting for the mail server');
  const outcome = await send({ orgId, mailId: id });
  setCurrentDetails(`The mail has ended: ${outcome}`);
  return outcome;
}
