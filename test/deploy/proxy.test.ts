import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestInTheClear, type Server } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_BODY_BYTES_MAX } from '../../api/http/body';
import { createAddressOf, networksOf } from '../../api/http/client-address';
import { freePort } from '../../local/free-port';
import { createAuthority } from '../support/certificates';
import { composeOf, composeText, ROOT, readCompose } from '../support/compose';
import { waitUntil } from '../support/wait-until';

const text = readFileSync(join(ROOT, 'deploy', 'proxy', 'Caddyfile'), 'utf8');
const statements = text.split('\n').map((line) => line.replace(/^\s*#.*/, '').trim());
const DOMAIN = 'custody.test';

test('the proxy uses the published port of the compose file, does not trust other proxies, and does not have an admin endpoint', () => {
  const [, upstream] = /reverse_proxy (\S+) \{/.exec(text) ?? [];
  const { services } = composeOf(readCompose(composeText, { STRONGROOM_UID: '1', STRONGROOM_GID: '1' }));
  expect(services['api']?.ports.map((port) => port.split(':').slice(0, 2).join(':'))).toEqual([upstream]);
  expect(statements.filter((line) => line.startsWith('trusted_proxies') || line.startsWith('header_up'))).toEqual([]);
  expect(statements).toContain('admin off');
});

test('the proxy forwards every body that the API would check', () => {
  const [, megabytes] = /^\s*max_size (\d+)MB$/m.exec(text) ?? [];
  expect(Number(megabytes) * 1_000_000).toBeGreaterThan(2 * FILE_BODY_BYTES_MAX);
});

const CADDY = process.env['CADDY_PATH'] || 'caddy';
const hasCaddy = spawnSync(CADDY, ['version']).error === undefined;
const testOfCaddy = hasCaddy ? test : test.failing;

describe('on a machine with Caddy (CADDY_PATH)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const authority = createAuthority();
  const arrived: IncomingMessage[] = [];
  let upstream: Server;
  let caddy: ChildProcess | undefined;
  let [secure, clear] = [0, 0];

  beforeAll(async () => {
    if (!hasCaddy) return;
    upstream = createServer((incoming, response) => {
      arrived.push(incoming);
      response.end('served');
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    [secure, clear] = [await freePort(), await freePort()];
    const issued = authority.issue(join(folder, 'tls'), { names: [DOMAIN], purpose: 'server' });
    const ports = `admin off\n\thttp_port ${clear}\n\thttps_port ${secure}`;
    const there = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const path = join(folder, 'Caddyfile');
    writeFileSync(path, text.replace('admin off', ports).replace('127.0.0.1:3000', there));
    const env = {
      STRONGROOM_DOMAIN: DOMAIN,
      STRONGROOM_TLS: `tls ${join(issued, 'certificate.pem')} ${join(issued, 'key.pem')}`,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    caddy = spawn(CADDY, ['run', '--adapter', 'caddyfile', '--config', path], { env, stdio: 'ignore' });
    await waitUntil('the proxy', () => ask({}).catch(() => undefined));
    arrived.length = 0;
  });
  afterAll(async () => {
    if (caddy) {
      caddy.kill();
      await once(caddy, 'exit');
    }
    upstream?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (options: RequestOptions) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const where = { host: '127.0.0.1', port: secure, servername: DOMAIN, ca: authority.ca, agent: false };
      const headers = { host: DOMAIN, ...options.headers };
      request({ ...where, ...options, headers }, (response) => resolve(response.resume()))
        .on('error', reject)
        .end();
    });

  testOfCaddy('the API sees the address of the caller, whatever the caller wrote into X-Forwarded-For', async () => {
    expect((await ask({ headers: { 'x-forwarded-for': '203.0.113.7' } })).statusCode).toBe(200);
    const [incoming] = arrived.splice(0);
    expect(incoming?.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(incoming?.headers['x-forwarded-proto']).toBe('https');
    expect(incoming?.headers.host).toBe(DOMAIN);
    const addressOf = createAddressOf(networksOf(['127.0.0.1']), () => undefined);
    expect(incoming && addressOf(incoming)).toBe('127.0.0.1');
  });

  testOfCaddy('the proxy tells browsers to use only TLS, and redirects a request without TLS', async () => {
    expect((await ask({})).headers['strict-transport-security']).toBe('max-age=31536000');
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const where = { host: '127.0.0.1', port: clear, headers: { host: DOMAIN }, agent: false };
      requestInTheClear(where, (response) => resolve(response.resume()))
        .on('error', reject)
        .end();
    });
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location).toMatch(new RegExp(`^https://${DOMAIN}`));
  });

  testOfCaddy('a protocol older than TLS 1.2 is refused', async () => {
    const older = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect((await ask({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).statusCode).toBe(200);
    await expect(ask(older)).rejects.toThrow(/protocol version/);
  });
});
