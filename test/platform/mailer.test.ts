import { inspect } from 'node:util';
import { createMailer, MailFrom, SmtpUrl } from '../../platform/mailer';
import { startMailServer, type TestMailServer } from '../support/mail-server';

const FROM = { name: 'Strongroom', address: 'strongroom@example.com' };
const LETTER = { messageId: 'ml-1', to: 'a@example.com', subject: 'Your code', text: 'ABC-DEF-GHJ\n' };

const servers: TestMailServer[] = [];
const start = async (options?: Parameters<typeof startMailServer>[0]) => {
  const server = await startMailServer(options);
  servers.push(server);
  return server;
};
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

const mailerTo = ({ port }: { port: number }, { host = '127.0.0.1', production = false, scheme = 'smtp', login = '' } = {}) =>
  createMailer(new URL(`${scheme}://${login}${host}:${port}`), FROM, production);

test('a mail arrives as it was written, with the same id at every attempt', async () => {
  const server = await start();
  const mailer = mailerTo(server);
  expect([await mailer.send(LETTER), await mailer.send(LETTER)]).toEqual([true, true]);
  expect(server.arrived).toHaveLength(2);
  for (const mail of server.arrived) {
    expect(mail).toMatchObject({
      from: { address: FROM.address, name: FROM.name },
      to: [{ address: 'a@example.com' }],
      envelopeTo: ['a@example.com'],
      subject: 'Your code',
      text: LETTER.text,
      messageId: '<ml-1@example.com>',
    });
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
    expect(mail.html).toBeUndefined();
  }
});

test.each([
  'a@example.com, b@example.com',
  'a@example.com;b@example.com',
  'Name <b@example.com>',
  'a@example.com\r\nRCPT TO:<b@example.com>',
  'a b@example.com',
  'group: b@example.com;',
  '"a@example.com, b"@example.com',
  'a@b@example.com',
  'nobody',
  '',
  `${'x'.repeat(250)}@example.com`,
])('%j is not an address, and no mail is sent to any part of the text', async (to) => {
  const server = await start();
  expect(await mailerTo(server).send({ ...LETTER, to })).toBe(false);
  expect(server.arrived).toEqual([]);
});

test('a subject with a line break does not add a header', async () => {
  const server = await start();
  await mailerTo(server).send({ ...LETTER, subject: 'Hello\r\nBcc: b@example.com' });
  const [mail] = server.arrived;
  expect(mail?.envelopeTo).toEqual(['a@example.com']);
  expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc');
});

test('a permanent refusal of the recipient ends the attempts; every other refusal is retryable', async () => {
  const refusing = (responseCode: number, at: 'onRcptTo' | 'onMailFrom') =>
    start({
      [at]: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error('no'), { responseCode })),
    });
  expect(await mailerTo(await refusing(550, 'onRcptTo')).send(LETTER)).toBe(false);
  for (const server of [await refusing(450, 'onRcptTo'), await refusing(550, 'onMailFrom')]) {
    await expect(mailerTo(server).send(LETTER)).rejects.toMatchObject({ code: 'MailServerUnavailable', retryable: true });
  }
});

test('a fault contains no address, no password and no text from the server', async () => {
  const server = await start({
    authOptional: false,
    onAuth: (_auth, _session, done) => done(new Error('no such secret-user here')),
  });
  const faults = [
    mailerTo(server, { login: 'secret-user:secret-password@' }).send(LETTER),
    mailerTo({ port: 1 }, { login: 'secret-user:secret-password@' }).send(LETTER),
  ];
  for (const fault of await Promise.allSettled(faults)) {
    expect(fault).toMatchObject({ status: 'rejected', reason: { code: 'MailServerUnavailable' } });
    if (fault.status === 'rejected') expect(inspect(fault.reason)).not.toMatch(/secret|a@example/);
  }
  expect(server.arrived).toEqual([]);
});

test('in production a mail is sent unencrypted only to the loopback interface', async () => {
  const server = await start();
  // The address reaches this host, but is not a name for the loopback interface.
  const elsewhere = mailerTo(server, { host: '0.0.0.0', production: true });
  await expect(elsewhere.send(LETTER)).rejects.toMatchObject({ code: 'MailServerUnavailable' });
  expect(server.arrived).toEqual([]);
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect(await mailerTo(server, { host, production: true }).send(LETTER)).toBe(true);
  expect(server.arrived).toHaveLength(3);
});

test('a self-signed certificate is refused, also under STARTTLS', async () => {
  // Hides the server's warning about its self-signed certificate, which the test needs.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const offering = await start({ disabledCommands: [] });
  const secure = await start({ secure: true });
  await expect(mailerTo(offering, { production: true, host: '0.0.0.0' }).send(LETTER)).rejects.toMatchObject({
    code: 'MailServerUnavailable',
  });
  await expect(mailerTo(secure, { scheme: 'smtps' }).send(LETTER)).rejects.toMatchObject({ code: 'MailServerUnavailable' });
  expect([...offering.arrived, ...secure.arrived]).toEqual([]);
});

test('without a mail server every mail fails with MailServerUnavailable', async () => {
  await expect(createMailer(undefined, undefined, true).send(LETTER)).rejects.toMatchObject({ code: 'MailServerUnavailable' });
});

test.each([
  'http://mail.example.com',
  'smtp://mail.example.com?requireTLS=false',
  'smtp://mail.example.com/x',
  'mail.example.com',
  'smtp://',
])('%s is not an address of a mail server', (url) => expect(SmtpUrl.safeParse(url).success).toBe(false));

test('addresses of mail servers and of senders are read in the format that people write', () => {
  for (const url of [
    'smtp://user:pass@mail.example.com:587',
    'smtps://mail.example.com',
    'smtp://127.0.0.1:2525/',
    'smtp://[::1]:25',
  ]) {
    expect([url, SmtpUrl.safeParse(url).success]).toEqual([url, true]);
  }
  expect(MailFrom.parse('Strong Room <a@example.com>')).toEqual({ name: 'Strong Room', address: 'a@example.com' });
  expect(MailFrom.parse('a@example.com')).toEqual({ name: '', address: 'a@example.com' });
  for (const text of ['Strongroom', 'A <a@example.com>, B <b@example.com>', 'A <a@example.com> B', '']) {
    expect([text, MailFrom.safeParse(text).success]).toEqual([text, false]);
  }
});
