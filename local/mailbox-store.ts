import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { isId } from '../domain/ids';
import { newId } from '../platform/ids';

export type ReadMail = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
};

/** Each mail is a file. The store keeps only the newest mails. */
export type MailboxStore = {
  /** Throws if the mail cannot be written, so that its sender retries. */
  readonly keep: (raw: Buffer) => void;
  /** The mails, the newest first. */
  readonly list: () => Promise<ReadMail[]>;
  readonly find: (id: string) => Promise<ReadMail | undefined>;
};

const MAILS_MAX = 200;
const ENDING = '.eml';

/** No other user of this machine may read the folder, because mails contain one-time codes. */
export function openMailboxStore(folder: string): MailboxStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = () => readdirSync(folder).filter((name) => name.endsWith(ENDING) && isId('mail', name.slice(0, -ENDING.length)));
  const read = async (id: string): Promise<ReadMail> => {
    const mail = await PostalMime.parse(readFileSync(join(folder, `${id}${ENDING}`)));
    const to = (mail.to ?? []).map(({ address = '' }) => address).join(', ');
    const { subject = '', date = '', text = '' } = mail;
    return { id, from: mail.from?.address ?? '', to, subject, date, text };
  };
  return {
    keep: (raw) => {
      const file = join(folder, `${newId('mail')}${ENDING}`);
      writeFileSync(`${file}.partial`, raw, { mode: 0o600 });
      renameSync(`${file}.partial`, file);
      for (const old of names().sort().slice(0, -MAILS_MAX)) rmSync(join(folder, old), { force: true });
    },
    list: () =>
      Promise.all(
        names()
          .sort()
          .reverse()
          .map((name) => read(name.slice(0, -ENDING.length))),
      ),
    find: async (id) => (names().includes(`${id}${ENDING}`) ? read(id) : undefined),
  };
}
