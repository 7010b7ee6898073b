import { X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import pino from 'pino';
import type { SignerPlace } from '../../../platform/signer-place';
import { createSignerClient } from '../../../signer/client';
import type { SignerClient } from '../../../signer/protocol';
import { openListener } from '../../../signer/wire/listener';
import { startServer } from '../../../signer/wire/server';
import { type CertificateWish, createAuthority } from '../../support/certificates';
import { waitUntil } from '../../support/wait-until';
import { keyOrder, openOperations, temporaryFolder } from '../fixtures';

const AUTH_KEY = Buffer.alloc(32, 3);
const folder = temporaryFolder();
const authority = createAuthority();
const logger = pino({ level: 'silent' });
const path = (name: string) => join(folder.path, name);
const worker: CertificateWish = { names: ['worker.test'] };

let operations: Awaited<ReturnType<typeof openOperations>>;
let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
const clients: SignerClient[] = [];

beforeAll(async () => {
  authority.issue(path('signer'), { names: ['signer.test'], purpose: 'server' });
  authority.issue(path('worker'), worker);
  operations = await openOperations(folder.path);
  const place: SignerPlace = { host: '127.0.0.1', port: 0, tls: { folder: path('signer'), names: ['worker.test'] } };
  server = await startServer(place, AUTH_KEY, operations, logger);
  port = portOf(server);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await server.stop();
  await operations.close();
  folder.remove();
});

function portOf({ address }: { address: Awaited<ReturnType<typeof openListener>>['address'] }): number {
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}

function client(identity: string, names = ['signer.test'], to = port): SignerClient {
  const place = { host: '127.0.0.1', port: to, tls: { folder: identity, names } };
  const made = createSignerClient({ place, authKey: AUTH_KEY, timeoutMs: 5_000 });
  clients.push(made);
  return made;
}

test('a worker with a certificate of the authority and the configured name is served, with the same replies as over the socket', async () => {
  const created = await client(path('worker')).createKey(keyOrder('key-1'));
  expect(created).toEqual(await operations.createKey(keyOrder('key-1')));
});

test('the signer reports when its certificate is valid', async () => {
  const { certificate } = await client(path('worker')).resources();
  const { validFrom, validTo } = new X509Certificate(readFileSync(path('signer/certificate.pem')));
  expect(certificate).toEqual({ fromMs: Date.parse(validFrom), untilMs: Date.parse(validTo) });
});

test.each<[string, () => string]>([
  ['from another authority', () => createAuthority().issue(path('foreign'), worker)],
  ['from another authority with the same name', () => createAuthority('test authority').issue(path('namesake'), worker)],
  ['that has expired', () => authority.issue(path('expired'), { ...worker, notAfterMs: Date.now() - 1_000 })],
  ['with a different name', () => authority.issue(path('other'), { names: ['api.test'] })],
  ['with a wildcard', () => authority.issue(path('wildcard'), { names: ['*.test'] })],
  ['with the configured name only in the subject', () => authority.issue(path('nameless'), { names: [] })],
  ['made for a server', () => authority.issue(path('server'), { ...worker, purpose: 'server' })],
])('a certificate %s is refused', async (_what, issue) => {
  const identity = issue();
  // The client trusts the signer's authority, so only the client's own certificate is at fault.
  writeFileSync(join(identity, 'ca.pem'), authority.ca);
  await expect(client(identity).health()).rejects.toMatchObject({ code: 'SignerUnavailable' });
});

/**
 * Whether the signer sends anything to a caller with these options. The signer sends first: an accepted caller gets 32 bytes.
 */
async function isHeard(options: ConnectionOptions): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, ca: authority.ca, servername: 'signer.test', ...options });
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false)).on('error', () => undefined);
  }).then((heard) => {
    socket.destroy();
    return heard === true;
  });
}
const credentials = () => ({
  cert: readFileSync(path('worker/certificate.pem')),
  key: readFileSync(path('worker/key.pem')),
});

test('callers without a certificate, with TLS 1.2 or with plain TCP do not get a greeting', async () => {
  expect(await isHeard(credentials())).toBe(true);
  expect(await isHeard({})).toBe(false);
  expect(await isHeard({ ...credentials(), maxVersion: 'TLSv1.2' })).toBe(false);
  const plain = createConnection(port, '127.0.0.1').on('error', () => undefined);
  let heard = 0;
  plain.on('data', (chunk: Buffer) => {
    heard += chunk.length;
  });
  plain.write(Buffer.alloc(200, 0xff));
  await new Promise((resolve) => plain.once('close', resolve));
  expect(heard).toBeLessThan(32); // The caller gets at most the alert of a failed handshake.
});

test('a session is not resumed, because its certificate would not be checked', async () => {
  const first = connect({ host: '127.0.0.1', port, ca: authority.ca, servername: 'signer.test', ...credentials() });
  const session = await new Promise<Buffer>((resolve) => first.once('session', resolve));
  first.destroy();
  expect(await isHeard({ ...credentials(), session })).toBe(false);
});

test('the frames are authenticated inside TLS as well', async () => {
  const place = { host: '127.0.0.1', port, tls: { folder: path('worker'), names: ['signer.test'] } };
  const stranger = createSignerClient({ place, authKey: Buffer.alloc(32, 4), timeoutMs: 5_000 });
  clients.push(stranger);
  await expect(stranger.health()).rejects.toMatchObject({ code: 'SignerUnavailable' });
});

test('a worker connects only to a server with the signer’s name', async () => {
  await expect(client(path('worker'), ['backup.test']).health()).rejects.toMatchObject({ code: 'SignerUnavailable' });
  const foreign = createAuthority().issue(path('false-worker'), worker);
  await expect(client(foreign).health()).rejects.toMatchObject({ code: 'SignerUnavailable' });
});

test('a key that others may read is not used', async () => {
  const identity = authority.issue(path('open'), worker);
  chmodSync(join(identity, 'key.pem'), 0o644);
  await expect(client(identity).health()).rejects.toMatchObject({
    code: 'SignerUnavailable',
    message: expect.stringContaining('certificates'),
  });
});

test('a connection ends when the client certificate that opened it expires', async () => {
  const identity = authority.issue(path('brief'), { ...worker, notAfterMs: Date.now() + 3_000 });
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: authority.ca,
    servername: 'signer.test',
    cert: readFileSync(join(identity, 'certificate.pem')),
    key: readFileSync(join(identity, 'key.pem')),
  });
  const closed = new Promise((resolve) =>
    socket
      .resume()
      .once('close', resolve)
      .on('error', () => undefined),
  );
  await closed;
});

test('the listener loads new certificates while it runs, and skips unusable certificates', async () => {
  const identity = authority.issue(path('renewed'), { names: ['old.test'], purpose: 'server' });
  const place = { host: '127.0.0.1', port: 0, tls: { folder: identity, names: ['worker.test'] } };
  const serve = () => () => undefined;
  const listener = await openListener(place, serve, logger, { graceMs: 0, reloadMs: 20 });
  const nameNow = () =>
    new Promise<string | undefined>((resolve) => {
      const options = { ca: authority.ca, checkServerIdentity: () => undefined, ...credentials() };
      const socket = connect({ host: '127.0.0.1', port: portOf(listener), ...options });
      socket.once('secureConnect', () => {
        resolve(socket.getPeerX509Certificate()?.subjectAltName);
        socket.destroy();
      });
      socket.once('error', () => resolve(undefined));
    });
  expect(await nameNow()).toBe('DNS:old.test');
  const next = authority.issue(path('next'), { names: ['new.test'], purpose: 'server' });
  writeFileSync(join(identity, 'certificate.pem'), 'half a fi');
  for (const name of ['key.pem', 'certificate.pem']) copyFileSync(join(next, name), join(identity, name));
  await waitUntil('the new certificate', async () => (await nameNow()) === 'DNS:new.test');
  await listener.stop();
});
