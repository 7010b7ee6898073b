import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SMTPServer } from 'smtp-server';
import { freePort } from '../../local/free-port';
import { receiveMails } from '../../local/mailbox';
import { serveMailbox } from '../../local/mailbox-page';
import { type MailboxStore, openMailboxStore } from '../../local/mailbox-store';
import { createMailer } from '../../platform/mailer';

const FROM = { name: '', address: 'strongroom@example.com' };
const EVIL = '<script>alert(1)</script>&"\'';

let folder: string;
let store: MailboxStore;
let receiver: SMTPServer;
let page: Server;
let smtpPort: number;
let url: string;
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'strongroom-mailbox-')), 'mails');
  store = openMailboxStore(folder);
  smtpPort = await freePort();
  receiver = await receiveMails(store, smtpPort);
  const pagePort = await freePort();
  page = await serveMailbox(store, pagePort);
  url = `http://127.0.0.1:${pagePort}`;
});
afterEach(async () => {
  await new Promise<void>((resolve) => receiver.close(() => resolve()));
  page.closeAllConnections();
  await new Promise((resolve) => page.close(resolve));
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const send = (text: string, subject = 'Hello') =>
  createMailer(new URL(`smtp://127.0.0.1:${smtpPort}`), FROM, true).send({
    messageId: 'ml-1',
    to: 'a@example.com',
    subject,
    text,
  });

test('a mail that was sent can be read on the page, also after a restart', async () => {
  expect(await (await fetch(url)).text()).toContain('No mail has arrived yet');
  expect(await send('Code: ABC-DEF-GHJ')).toBe(true);
  const list = await (await fetch(url)).text();
  expect(list).toContain('a@example.com');
  const [, path = ''] = /href="(\/mails\/ml-[a-z0-9-]+)"/.exec(list) ?? [];
  expect(await (await fetch(`${url}${path}`)).text()).toContain('Code: ABC-DEF-GHJ');
  expect(await openMailboxStore(folder).list()).toMatchObject([
    { to: 'a@example.com', subject: 'Hello', text: 'Code: ABC-DEF-GHJ\n' },
  ]);
});

test('the content of a mail is shown as text, and no script in it runs', async () => {
  await send(EVIL, EVIL);
  const answer = await fetch(url);
  const list = await answer.text();
  const [, path = ''] = /href="(\/mails\/[^"]+)"/.exec(list) ?? [];
  const mail = await (await fetch(`${url}${path}`)).text();
  for (const html of [list, mail]) {
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;');
  }
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a request is refused if it uses a foreign host name that resolves to this machine', async () => {
  await send('Code: ABC-DEF-GHJ');
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(url, { headers: { host: 'attacker.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

test('the mailbox serves only the list and its mails, and does not accept changes', async () => {
  for (const path of ['/mails/ml-00000-00000-0000000000000000', '/mails/..%2f..%2fsecrets', '/else']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
  }
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});

test('other users of the machine cannot read the mails, and the oldest mails are deleted to make room', async () => {
  for (let count = 0; count < 205; count += 1) store.keep(Buffer.from(`Subject: ${count}\r\n\r\ntext\r\n`));
  const files = readdirSync(folder);
  expect(files).toHaveLength(200);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, files[0] ?? '')).mode & 0o777).toBe(0o600);
  expect((await store.list())[0]?.subject).toBe('204');
});

test('a mail above one mebibyte is refused, and the mailbox keeps running', async () => {
  await expect(send('x'.repeat(1_200_000))).rejects.toMatchObject({ code: 'MailServerUnavailable' });
  expect(await send('short')).toBe(true);
  expect(await store.list()).toHaveLength(1);
});
