import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { issueToken } from '../../application/access-tokens/tokens';
import { createTokenKeys } from '../../platform/token-keys';
import { type Person, startApi, type TestApi } from '../support/api';
import { createTestDatabase, type TestDatabase } from '../support/database';

const newPem = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const publicOf = (pem: string) => createPublicKey(pem).export({ format: 'pem', type: 'spki' }).toString();

let database: TestDatabase;
let first: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  first = await startApi({ database });
});
afterAll(async () => {
  await first?.close();
  await database?.close();
});

const read = async (api: TestApi, token: string) =>
  (await fetch(`${api.url}/auth/credentials`, { headers: { authorization: `Bearer ${token}` } })).status;
const newAdmin = async () => first.createPerson(await first.createOrganization());
const change = (person: Person, sql: string) =>
  database.db.withOrg(person.orgId, (tx) => tx.query(`${sql} WHERE org_id = $1`, [person.orgId]));

test('200: the public keys are at the well-known path, without a token and without a private part', async () => {
  const response = await fetch(`${first.url}/.well-known/jwks.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await response.json()).toEqual(createTokenKeys(first.tokenKey).jwks);
});

test('401: the token was revoked in one process, and every process refuses it from the next request on', async () => {
  const second = await startApi({ database, tokenKey: first.tokenKey });
  try {
    for (const sql of [
      'UPDATE access_tokens SET is_active = false',
      'UPDATE access_tokens SET date_expires = clock_timestamp()',
      'UPDATE access_tokens SET date_removed = clock_timestamp()',
      'UPDATE access_tokens SET token_digest = NULL',
    ]) {
      const admin = await newAdmin();
      for (const api of [first, second]) expect(await read(api, admin.token)).toBe(200);
      await change(admin, sql);
      for (const api of [second, first]) expect([sql, await read(api, admin.token)]).toEqual([sql, 401]);
    }
  } finally {
    await second.close();
  }
});

test('403: a permission was removed in one process, and the other process no longer accepts it either', async () => {
  const second = await startApi({ database, tokenKey: first.tokenKey });
  try {
    const admin = await newAdmin();
    const users = (api: TestApi) =>
      fetch(`${api.url}/auth/users`, { headers: { authorization: `Bearer ${admin.token}` } }).then(({ status }) => status);
    expect([await users(first), await users(second)]).toEqual([200, 200]);
    await change(admin, 'DELETE FROM permission_assignments');
    expect([await users(second), await users(first)]).toEqual([403, 403]);
  } finally {
    await second.close();
  }
});

test('200: a rotation of the token key does not end a session; tokens of the earlier key are refused once that key is removed', async () => {
  const next = newPem();
  const admin = await newAdmin();
  const rotated = await startApi({ database, tokenKey: `${next}${publicOf(first.tokenKey)}` });
  try {
    expect(await read(rotated, admin.token)).toBe(200);
    const claims = { userId: admin.userId, kind: 'Token' as const, lifetimeMs: 60_000 };
    const { token } = await database.db.withOrg(admin.orgId, (tx) => issueToken(tx, rotated.tokens, claims));
    expect([await read(rotated, token), await read(first, token)]).toEqual([200, 401]);
  } finally {
    await rotated.close();
  }
  const after = await startApi({ database, tokenKey: next });
  try {
    expect(await read(after, admin.token)).toBe(401);
  } finally {
    await after.close();
  }
});

test('503: the clock of the process differs too much from that of the database, so the process is not ready', async () => {
  const late = await startApi({ database, env: { NODE_OPTIONS: `--require ${require.resolve('../support/late-clock.cjs')}` } });
  try {
    const response = await fetch(`${late.url}/health/ready`);
    expect(response.status).toBe(503);
    expect(JSON.stringify(await response.json())).toContain('clock');
    const here = await fetch(`${first.url}/health/ready`);
    expect(JSON.stringify(await here.json())).not.toContain('clock');
  } finally {
    await late.close();
  }
});
