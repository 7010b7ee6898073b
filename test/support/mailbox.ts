import type { JoinedService } from './service';
import { waitUntil } from './wait-until';

/** Waits for a mail with this subject to this address. Returns the text of the latest such mail from the local mailbox. */
export function mailTo(service: JoinedService, address: string, subject: RegExp): Promise<string> {
  const { mailboxUrl } = service.firstRun();
  return waitUntil('the mail', async () => {
    const list = await (await fetch(mailboxUrl)).text();
    const row = list.split('<tr>').find((one) => one.includes(address) && subject.test(one));
    const path = row && /href="([^"]+)"/.exec(row)?.[1];
    return path && (await fetch(`${mailboxUrl}${path}`)).text();
  });
}

/** The last code that this address has received by mail for this purpose. */
export async function codeMailedTo(
  service: JoinedService,
  address: string,
  purpose: 'registration' | 'recovery',
): Promise<string> {
  const text = await mailTo(service, address, new RegExp(`${purpose} code`, 'i'));
  return /\b[0-9A-Z]{3}-[0-9A-Z]{3}-[0-9A-Z]{3}\b/.exec(text)?.[0] ?? '';
}
