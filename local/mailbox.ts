import type { Server } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { createLogger } from '../platform/logger';
import { endAtSignal } from '../platform/process-end';
import { mailboxConfig } from './config';
import { serveMailbox } from './mailbox-page';
import { type MailboxStore, openMailboxStore } from './mailbox-store';
import { runProgram } from './program';

const MAIL_BYTES_MAX = 1024 * 1024;

/** The server listens on loopback, keeps all mails and forwards none. */
export function receiveMails(store: Pick<MailboxStore, 'keep'>, port: number): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAIL_BYTES_MAX,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAIL_BYTES_MAX) chunks.push(chunk);
      });
      stream.on('end', () => {
        try {
          if (bytes > MAIL_BYTES_MAX) throw new Error('The mail is too large');
          store.keep(Buffer.concat(chunks));
          done();
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      });
    },
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      // Without this listener, a sender that disconnects in the middle of a mail would end the process.
      server.on('error', () => undefined);
      resolve(server);
    });
  });
}

async function main(): Promise<void> {
  const { MAILBOX_FOLDER: folder, SMTP_PORT: smtpPort, MAILBOX_PORT: pagePort, LOG_LEVEL } = mailboxConfig();
  const log = createLogger('mailbox', LOG_LEVEL);
  const store = openMailboxStore(folder);
  const receiver = await receiveMails(store, smtpPort);
  const page: Server = await serveMailbox(store, pagePort);
  log.info({ url: `http://127.0.0.1:${pagePort}` }, 'the mailbox takes mails');
  endAtSignal(log, async () => {
    page.closeAllConnections();
    await new Promise<void>((resolve) => page.close(() => receiver.close(resolve)));
  });
}

if (require.main === module) runProgram(main);
