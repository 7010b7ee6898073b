import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type TestMailServer = {
  readonly port: number;
  /** The received mails as a mail program reads them, with the addressees of the envelope. */
  readonly arrived: readonly (Email & { readonly envelopeTo: readonly string[]; readonly secure: boolean })[];
  readonly close: () => Promise<void>;
};

/** Starts a real SMTP server on a free port. `options` replace the defaults. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const arrived: (Email & { readonly envelopeTo: readonly string[]; readonly secure: boolean })[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, { envelope, secure }, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
      const email = await PostalMime.parse(Buffer.concat(chunks));
      arrived.push({ ...email, envelopeTo: envelope.rcptTo.map(({ address }) => address), secure });
      done();
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0);
  await once(server.server, 'listening');
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    arrived,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
