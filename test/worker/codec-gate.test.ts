import { createPublicKey } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createLogger } from '../../platform/logger';
import { createPayloadCodec } from '../../platform/payload-codec';
import { createTokenVerifier } from '../../platform/token-keys';
import { serveCodec } from '../../worker/codec-endpoint';
import { createCodecGate } from '../../worker/codec-gate';
import { type Person, startApi, type TestApi } from '../support/api';

const UI = 'https://temporal.example.com';
const OWN = 'https://codec.example.com';
const CANARY = 'canary-7f3a';
const MAY = ['Temporal:Payloads:Read'];

let api: TestApi;
let orgId: string;
let operator: Person;
let server: Server;
let url: string;
const codec = createPayloadCodec(Buffer.alloc(32, 5), 'payments');
beforeAll(async () => {
  api = await startApi();
  orgId = await api.createOrganization();
  operator = await api.createPerson(orgId, { operations: MAY });
  const tokens = createTokenVerifier(createPublicKey(api.tokenKey).export({ format: 'pem', type: 'spki' }).toString());
  const gate = createCodecGate({ db: api.database.db, tokens, orgId, namespace: 'payments' });
  const logger = createLogger('worker', 'silent');
  server = await serveCodec(codec, { port: 0, host: '127.0.0.1', uiOrigins: [UI], gate, ownOrigin: OWN, logger });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await api?.close();
});

const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
const shown = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
  data: base64(data),
});
/** Two payloads as a history contains them, in the form of the Temporal UI. */
const encrypted = async () => {
  const payloads = await codec.encode([CANARY, 'more'].map((value) => defaultPayloadConverter.toPayload(value)));
  return JSON.stringify({ payloads: payloads.map(shown) });
};
const send = async (path: string, headers: Record<string, string>, body?: string) =>
  fetch(`${url}${path}`, { method: 'POST', body: body ?? (await encrypted()), headers });
const readings = async (org = orgId) =>
  api.database.db.read(org).select<{ userId: string }>('SELECT user_id AS "userId" FROM payload_readings');
const bearer = (person: Person) => ({ origin: UI, authorization: `Bearer ${person.token}` });

test('an operator reads payloads, and a record states who read them, when, and how many', async () => {
  const answer = await send('/decode', bearer(operator));
  expect(answer.status).toBe(200);
  expect(
    Buffer.from(((await answer.json()) as { payloads: { data: string }[] }).payloads[0]?.data ?? '', 'base64').toString(),
  ).toBe(JSON.stringify(CANARY));
  const rows = await api.database.db.read(orgId).select('SELECT * FROM payload_readings');
  expect(rows).toEqual([
    {
      org_id: orgId,
      id: expect.stringMatching(/^prd-/),
      user_id: operator.userId,
      token_id: operator.tokenId,
      namespace: 'payments',
      operation: 'decode',
      payloads: 2,
      date_created: expect.any(Date),
    },
  ]);
});

test('the service can neither change nor remove the record of a reading', async () => {
  for (const sql of ['UPDATE payload_readings SET user_id = org_id', 'DELETE FROM payload_readings']) {
    await expect(api.database.db.withOrg(orgId, (tx) => tx.query(sql))).rejects.toThrow(/permission denied/);
  }
});

test.each<[string, () => Promise<Record<string, string>>, number]>([
  ['no token', async () => ({ origin: UI }), 401],
  ['text that is not a token', async () => ({ origin: UI, authorization: 'Bearer nonsense' }), 401],
  ['a forged token', async () => ({ origin: UI, authorization: `Bearer ${operator.token.slice(0, -6)}AAAAAA` }), 403],
  ['no permission to read payloads', async () => bearer(await api.createPerson(orgId, { operations: ['Wallets:Read'] })), 403],
  ['all permissions in another organisation', async () => bearer(await api.createPerson(await api.createOrganization())), 403],
  ['an end user’s token', async () => bearer(await api.createPerson(orgId, { kind: 'EndUser', operations: MAY })), 403],
  [
    'a service account’s token',
    async () => bearer(await api.createPerson(orgId, { isServiceAccount: true, operations: MAY })),
    403,
  ],
  [
    'a revoked token',
    async () => {
      const person = await api.createPerson(orgId, { operations: MAY });
      await api.database.db.withOrg(orgId, (tx) =>
        tx.query('UPDATE access_tokens SET is_active = false WHERE org_id = $1 AND user_id = $2', [orgId, person.userId]),
      );
      return bearer(person);
    },
    403,
  ],
  ['a page with a different origin', async () => ({ ...bearer(operator), origin: 'https://evil.example' }), 403],
])('with %s nothing is decrypted and nothing recorded', async (_case, headers, status) => {
  const before = (await readings()).length;
  const sent = await headers();
  for (const path of ['/decode', '/encode']) {
    const answer = await send(path, sent);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  }
  expect((await readings()).length).toBe(before);
});

test('a payload that cannot be decrypted is not recorded as read', async () => {
  const before = (await readings()).length;
  expect((await send('/decode', bearer(operator), '{"payloads":1}')).status).toBe(400);
  expect((await readings()).length).toBe(before);
});

test('if the reading cannot be recorded, no payload is returned', async () => {
  const gate = createCodecGate({ db: api.database.db, tokens: api.tokens, orgId, namespace: 'payments' });
  const failing = { ...gate, record: () => Promise.reject(new Error('the database is gone')) };
  const logger = createLogger('worker', 'silent');
  const closed = await serveCodec(codec, { port: 0, host: '127.0.0.1', uiOrigins: [UI], gate: failing, logger });
  try {
    const address = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/decode`;
    const answer = await fetch(address, { method: 'POST', headers: bearer(operator), body: await encrypted() });
    expect([answer.status, await answer.text()]).toEqual([503, '']);
  } finally {
    closed.closeAllConnections();
    closed.close();
  }
});

describe('the login', () => {
  const signIn = (token: string, headers: Record<string, string> = { origin: OWN }) =>
    send(
      '/login',
      { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      new URLSearchParams({ token }).toString(),
    );
  const cookieOf = (answer: Response) => answer.headers.get('set-cookie') ?? '';

  test('is a page without scripts', async () => {
    const answer = await fetch(`${url}/login`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; form-action 'self'/);
    expect(await answer.text()).not.toMatch(/<script/);
  });

  test('gives a cookie that only this host sees, and the UI can call with it', async () => {
    const answer = await signIn(operator.token);
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toMatch(/^__Host-strongroom-codec=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
    const [cookie = ''] = cookieOf(answer).split(';');
    const preflight = await fetch(`${url}/decode`, { method: 'OPTIONS', headers: { origin: UI } });
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
    expect(preflight.headers.get('access-control-allow-origin')).toBe(UI);
    expect((await send('/decode', { origin: UI, cookie })).status).toBe(200);
    expect((await send('/decode', { origin: 'https://evil.example', cookie })).status).toBe(403);
  });

  test('refuses a person without the permission, and does not repeat the token', async () => {
    const stranger = await api.createPerson(await api.createOrganization());
    for (const token of [stranger.token, 'nonsense', '', '<script>alert(1)</script>']) {
      const answer = await signIn(token);
      expect([answer.status, cookieOf(answer)]).toEqual([403, '']);
      if (token !== '') expect(await answer.text()).not.toContain(token);
    }
  });

  test('is accepted only from its own page', async () => {
    for (const origin of [UI, 'https://evil.example', 'null'])
      expect((await signIn(operator.token, { origin })).status).toBe(403);
    expect((await signIn(operator.token, {})).status).toBe(403);
  });

  test('ends when the logout removes the cookie', async () => {
    const answer = await send('/logout', { origin: OWN }, '');
    expect(cookieOf(answer)).toMatch(/^__Host-strongroom-codec=; Max-Age=0; /);
  });
});
