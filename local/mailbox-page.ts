import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { MailboxStore, ReadMail } from './mailbox-store';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:46rem;padding:0 1rem}' +
  'pre{white-space:pre-wrap;background:#f4f4f4;padding:1rem}td,th{text-align:left;padding:.2rem 1rem .2rem 0}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The server listens on loopback. The page shows the content of a mail only as text. */
export function serveMailbox(store: MailboxStore, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    answer(store, request, response).catch(() => response.writeHead(500).end());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function answer(
  store: MailboxStore,
  { method, url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Without this check a website could point its domain at this machine (DNS rebinding) and read the mails.
  const isOurs = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '');
  const [, id] = /^\/mails\/([a-z0-9-]+)$/.exec(url) ?? [];
  const mail = isOurs && id !== undefined ? await store.find(id) : undefined;
  const page = url === '/' ? listPage(await store.list()) : mail && mailPage(mail);
  if (!isOurs) response.writeHead(403).end();
  else if (method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
  else if (page === undefined) response.writeHead(404, HEADERS).end(document('No such mail', ''));
  else response.writeHead(200, HEADERS).end(page);
}

const listPage = (mails: readonly ReadMail[]): string => {
  const rows = mails.map(
    ({ id, to, subject, date }) =>
      `<tr><td>${escaped(date)}</td><td>${escaped(to)}</td><td><a href="/mails/${escaped(id)}">${escaped(subject || 'No subject')}</a></td></tr>`,
  );
  const table = `<table><tr><th>Date</th><th>To</th><th>Subject</th></tr>${rows.join('')}</table>`;
  return document('Mails of this local trial', mails.length === 0 ? '<p>No mail has arrived yet.</p>' : table);
};

const mailPage = ({ from, to, subject, date, text }: ReadMail): string =>
  document(
    subject || 'No subject',
    `<p>From ${escaped(from)} to ${escaped(to)}, ${escaped(date)}</p><pre>${escaped(text)}</pre><p><a href="/">All mails</a></p>`,
  );

const document = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>` +
  `<body><h1>${escaped(title)}</h1>${body}</body></html>\n`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
