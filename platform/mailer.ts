import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { AppError } from '../domain/errors';
import { isLoopbackAddress } from './public-addresses';
import { createSemaphore } from './semaphore';

export type Letter = {
  /** The same for every attempt, so that a mailbox can recognise a duplicate (RFC 5322 §3.6.4). */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

export type Mailer = {
  /**
   * True once the mail server has accepted the mail. False if `to` is not one mail address, or if the mail server permanently
   * refuses the addressee. For every other fault, throws `MailServerUnavailable` with a message that contains no address.
   */
  readonly send: (letter: Letter) => Promise<boolean>;
};

/** The ports of SMTP with TLS (RFC 8314) and of mail submission (RFC 6409). */
const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;
const TIMEOUT_MS = 20_000;
/** A hanging server must not occupy all of the worker's capacity. */
const SENDING_MAX = 4;
const WAIT_FOR_PLACE_MAX_MS = 5_000;

const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host.replace(/^\[|\]$/g, ''));

/** `smtp://user:password@host:587` or `smtps://…`. A query is refused, because a query could switch the encryption off. */
export const SmtpUrl = z
  .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
  .refine((text) => /^smtps?:\/\/[^/?#]+\/?$/.test(text), 'must end after host and port')
  .transform((text) => new URL(text))
  .meta({ form: '`smtp://` or `smtps://` address', secret: true });

export const MailFrom = z
  .string()
  .transform((text) => {
    const [, name = '', address = text] = /^([^<>"]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
    return { name: name.trim(), address: address.trim() };
  })
  .refine(({ address }) => isAddress(address), 'must be a mail address, alone or as Name <address>')
  .meta({ form: '`Name <address>` or an address' });

export type Sender = z.output<typeof MailFrom>;

/** True only for a single address that no parser reads as two addresses or as another line of the protocol. */
const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s\p{C},;:<>()[\]\\"@]+@[^\s\p{C},;:<>()[\]\\"@]+$/u.test(text);

/**
 * Without a server or a sender, `send` always throws, and mails wait. In production, mails leave the host only over an
 * encrypted connection to a server with a valid certificate.
 */
export function createMailer(server: URL | undefined, from: Sender | undefined, isProduction: boolean): Mailer {
  if (!server || !from) {
    return {
      send: async () => {
        throw new AppError('MailServerUnavailable', 'No mail server is configured (SMTP_URL, MAIL_FROM)');
      },
    };
  }
  const { hostname, port, protocol, username, password } = server;
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (secure ? SMTPS_PORT : SUBMISSION_PORT)),
    secure,
    requireTLS: isProduction && !isLoopback(hostname),
    tls: { minVersion: 'TLSv1.2' },
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const gate = createSemaphore({ runningMax: SENDING_MAX, waitMaxMs: WAIT_FOR_PLACE_MAX_MS });
  return {
    send: async ({ messageId, to, subject, text }) => {
      if (!isAddress(to)) return false;
      // Addresses are passed as objects, because the library would parse a text as a list of addresses.
      const message = { from, to: { name: '', address: to }, envelope: { from: from.address, to: [to] }, subject, text };
      const id = `<${messageId}@${from.address.split('@')[1]}>`;
      const headers = { 'Auto-Submitted': 'auto-generated' };
      try {
        await gate.run(() => transport.sendMail({ ...message, messageId: id, headers }));
        return true;
      } catch (error) {
        const fault = faultOf(error);
        if (fault.isForGood) return false;
        throw new AppError('MailServerUnavailable', `The mail server did not accept a mail: ${fault.name}`);
      }
    },
  };
}

/**
 * Only a refusal of the addressee is permanent, because any other fault may come from our own configuration. The server's reply
 * is dropped, because the reply may repeat the content of the mail.
 */
function faultOf(error: unknown): { readonly name: string; readonly isForGood: boolean } {
  const { code, command, responseCode } = Fault.parse(error);
  const name = [code ?? (error instanceof Error ? error.name : 'unknown'), command, responseCode].filter(Boolean).join(' ');
  return { name, isForGood: command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500 };
}

const Fault = z
  .object({
    code: z.string().optional().catch(undefined),
    command: z.string().optional().catch(undefined),
    responseCode: z.number().optional().catch(undefined),
  })
  .catch({});
