import { execFile } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { KEY_SHARE_SUITE } from '../../domain/key-stores';
import { temporaryFolder } from '../signer/fixtures';
import type { Person } from '../support/api';
import { createKey, type KeyBody, switchOn } from '../support/keys';
import { START_LIMIT_MS, startWalletApi, type WalletApi } from '../support/wallet-api';

const ROOT = join(__dirname, '..', '..');
const run = promisify(execFile);
const folder = temporaryFolder();
let wallets: WalletApi;
let front: Server;
beforeAll(async () => {
  wallets = await startWalletApi();
  front = await startFront();
  await switchOn(wallets, wallets.orgId, 'keyExport', 'keyImport');
  await switchOn(wallets, wallets.stranger.orgId, 'keyImport');
}, START_LIMIT_MS);
afterAll(async () => {
  await new Promise((resolve) => front?.close(resolve));
  await wallets?.close();
  folder.remove();
});

/** A proxy for the API. The API cannot list its signers without Temporal, so the proxy serves `/signers` itself. */
async function startFront(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    if (url === '/signers') {
      const { signerId, encryptionKey } = await wallets.signer.client.health();
      response.end(JSON.stringify({ clusters: [{ clusterId: 'software', signers: [{ signerId, encryptionKey }] }] }));
      return;
    }
    const body = await text(request);
    const kept = ['authorization', 'content-type', 'x-svc-useraction'].filter((name) => headers[name] !== undefined);
    const answer = await fetch(`${wallets.api.url}${url}`, {
      method,
      headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])),
      ...(method === 'GET' ? {} : { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Writes the file that the script reads, as the first start of the service does. Returns its path. */
function identityOf({ orgId, token, credId, privateKey }: Person): string {
  const path = join(folder.path, `${orgId}.json`);
  const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const privateKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync(path, JSON.stringify({ baseUrl, orgId, users: [{ token, credId, privateKeyPem }] }));
  return path;
}

const script = (...args: string[]) => run(process.execPath, [join(ROOT, 'docs', 'examples', 'key-shares.mjs'), ...args]);

test.each([
  { scheme: 'ECDSA', curve: 'secp256k1' },
  { scheme: 'EdDSA', curve: 'ed25519' },
  { scheme: 'Schnorr', curve: 'secp256k1' },
])('the script exports a key of $scheme on $curve, and imports the key into another organisation', async (form) => {
  const key = await createKey(wallets, form);
  const secretFile = join(folder.path, `${key.id}.json`);
  const { stdout: publicKey } = await script('export', identityOf(wallets.admin), key.id, secretFile);
  expect(publicKey.trim()).toBe(key.publicKey);
  expect(statSync(secretFile).mode & 0o777).toBe(0o600);

  const { stdout: keyId } = await script('import', identityOf(wallets.stranger), secretFile);
  const imported = await wallets.stranger.client.get(`/keys/${keyId.trim()}`);
  expect(imported).toMatchObject({ status: 200, body: { ...form, publicKey: key.publicKey, imported: true } });
  const exported = await wallets.admin.client.get(`/keys/${key.id}`);
  expect(exported).toMatchObject({ status: 200, body: { exported: true } satisfies Partial<KeyBody & { exported: boolean }> });
});

test('the page describes the suite that the API returns', () => {
  const page = readFileSync(join(ROOT, 'docs', 'key-shares.md'), 'utf8');
  for (const algorithm of KEY_SHARE_SUITE.split(/, (?!HKDF-SHA256\))/)) expect(page).toContain(algorithm);
});
