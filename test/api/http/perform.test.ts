import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { sha256Hex } from '../../../platform/digests';
import { createTokenKeys } from '../../../platform/token-keys';
import { type Person, startApi, type TestApi } from '../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const policy = (name: string) =>
  JSON.stringify({ name, activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' }, action: { kind: 'Block' } });
const newAdmin = async () => api.createPerson(await api.createOrganization());
const policies = async ({ orgId }: Person) =>
  (await api.database.db.read(orgId).select<{ name: string }>('SELECT name FROM policy_versions')).map(({ name }) => name);
const create = (person: Person, text: string, userAction?: string, path = '/v2/policies', method = 'POST') =>
  person.client.send({ method, path, text, headers: userAction === undefined ? {} : { 'x-svc-useraction': userAction } });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;

describe('bearer tokens', () => {
  const status = async (token: string) => {
    const response = await fetch(`${api.url}/auth/credentials`, { headers: { authorization: token } });
    expect(response.status === 200 || response.headers.get('www-authenticate') === 'Bearer').toBe(true);
    return response.status;
  };

  test('401: no token, another scheme, or text that is not a token', async () => {
    const admin = await newAdmin();
    const bad = [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${admin.token}`,
      admin.token,
      `Bearer ${admin.token}x`,
      'Bearer a.b.c',
      'Bearer null',
    ];
    for (const header of bad) expect(await status(header)).toBe(401);
    expect(await status(`bearer ${admin.token}`)).toBe(200);
  });

  test('401: the token is in the query or in a cookie', async () => {
    const { token } = await newAdmin();
    expect((await fetch(`${api.url}/auth/credentials?access_token=${token}`)).status).toBe(401);
    expect((await fetch(`${api.url}/auth/credentials`, { headers: { cookie: `token=${token}` } })).status).toBe(401);
  });

  test('401: alg none, a public key used as an HMAC secret, an embedded key and an unknown key', async () => {
    const admin = await newAdmin();
    const claims = encode(claimsOf(admin.token));
    const header = (fields: object) => encode({ typ: 'at+jwt', ...fields });
    const stranger = generateKeyPairSync('ed25519');
    const jwk = stranger.publicKey.export({ format: 'jwk' });
    const signed = (head: string) =>
      `${head}.${claims}.${sign(null, Buffer.from(`${head}.${claims}`), stranger.privateKey).toString('base64url')}`;
    const hmac = header({ alg: 'HS256' });
    const known = createPublicKey(stranger.privateKey).export({ format: 'pem', type: 'spki' });
    for (const token of [
      `${header({ alg: 'none' })}.${claims}.`,
      `${header({ alg: 'none' })}.${claims}.AA`,
      `${hmac}.${claims}.${createHmac('sha256', known).update(`${hmac}.${claims}`).digest('base64url')}`,
      signed(header({ alg: 'EdDSA' })),
      signed(header({ alg: 'EdDSA', jwk })),
    ]) {
      expect(await status(`Bearer ${token}`)).toBe(401);
    }
  });

  /** Stores the token as if it had been issued, so that only the fault in the token itself can cause a refusal. */
  const handOut = async ({ orgId, tokenId }: Person, token: string) => {
    await api.database.db.withOrg(orgId, (tx) =>
      tx.query('UPDATE access_tokens SET token_digest = $3 WHERE org_id = $1 AND id = $2', [orgId, tokenId, sha256Hex(token)]),
    );
    return token;
  };

  test('401: the token was signed for an existing row but never issued', async () => {
    const admin = await newAdmin();
    const claims = { id: admin.tokenId, userId: admin.userId, orgId: admin.orgId };
    const forged = await api.tokens.sign('bearer', claims, new Date(Date.now() + 60_000));
    expect(await status(`Bearer ${forged}`)).toBe(401);
    expect(await status(`Bearer ${admin.token}`)).toBe(200);
    expect(await status(`Bearer ${await handOut(admin, forged)}`)).toBe(200);
    expect(await status(`Bearer ${admin.token}`)).toBe(401);
  });

  test('401: a token of another type, an expired token and a token without a row', async () => {
    const admin = await newAdmin();
    const claims = { id: admin.tokenId, userId: admin.userId, orgId: admin.orgId };
    const soon = new Date(Date.now() + 60_000);
    expect(await status(`Bearer ${await handOut(admin, await api.tokens.sign('bearer', claims, soon))}`)).toBe(200);
    for (const token of [
      await api.tokens.sign('challenge', claims, soon),
      await api.tokens.sign('userAction', claims, soon),
      // The expiry is further in the past than the allowed clock skew.
      await api.tokens.sign('bearer', claims, new Date(Date.now() - 600_000)),
      await api.tokens.sign('bearer', { ...claims, id: 'to-00000-00000-0000000000000000' }, soon),
      await api.tokens.sign('bearer', { ...claims, orgId: (await newAdmin()).orgId }, soon),
      await api.tokens.sign('bearer', { ...claims, orgId: "or'; DROP TABLE users; --" }, soon),
      await api.tokens.sign('bearer', { ...claims, userId: (await newAdmin()).userId }, soon),
      await api.tokens.sign('ceremony', claims, soon),
      await api.tokens.sign('temporary', claims, soon),
    ]) {
      expect(await status(`Bearer ${await handOut(admin, token)}`)).toBe(401);
    }
  });

  test('401: the token was revoked, or its row has expired, before the next request', async () => {
    for (const change of ['is_active = false', 'date_expires = clock_timestamp()']) {
      const admin = await newAdmin();
      expect(await status(`Bearer ${admin.token}`)).toBe(200);
      await api.database.db.withOrg(admin.orgId, (tx) =>
        tx.query(`UPDATE access_tokens SET ${change} WHERE org_id = $1`, [admin.orgId]),
      );
      expect(await status(`Bearer ${admin.token}`)).toBe(401);
    }
  });

  test('401: a token of another installation', async () => {
    const admin = await newAdmin();
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const claims = { id: admin.tokenId, userId: admin.userId, orgId: admin.orgId };
    const foreign = await createTokenKeys(pem).sign('bearer', claims, new Date(Date.now() + 60_000));
    expect(await status(`Bearer ${await handOut(admin, foreign)}`)).toBe(401);
  });

  test('400: the user is deactivated, and the error reports this', async () => {
    const admin = await newAdmin();
    await api.database.db.withOrg(admin.orgId, (tx) =>
      tx.query('UPDATE users SET is_active = false WHERE org_id = $1', [admin.orgId]),
    );
    const { status: answered, body } = await admin.client.get('/auth/credentials');
    expect({ answered, body }).toMatchObject({
      answered: 400,
      body: { error: { message: 'User account has been deactivated.' } },
    });
  });
});

describe('user actions', () => {
  const refused = { id: 'UserActionInvalid', status: 403, message: 'user action signature is missing or invalid' };

  test('400: one user action is sent with 40 parallel requests, and exactly one request is carried out', async () => {
    const admin = await newAdmin();
    const text = policy('once');
    const userAction = await admin.client.userAction('POST', '/v2/policies', text);
    const answers = await Promise.all(Array.from({ length: 40 }, () => create(admin, text, userAction)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(39).fill(400)]);
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({
      error: { id: 'UserActionUsed', status: 400, message: 'user action has already been used' },
    });
    expect(await policies(admin)).toEqual(['once']);
  });

  test('403: the user action is missing, belongs to another user or is a token of another type', async () => {
    const orgId = await api.createOrganization();
    const [admin, colleague] = [await api.createPerson(orgId), await api.createPerson(orgId)];
    const stranger = await newAdmin();
    const text = policy('never');
    const own = await admin.client.userAction('POST', '/v2/policies', text);
    const init = (await admin.client.announce('POST', '/v2/policies', text)).body as { challengeIdentifier: string };
    const unsigned = JSON.parse(Buffer.from(init.challengeIdentifier.split('.')[1] ?? '', 'base64url').toString()) as {
      jti: string;
    };
    const forged = await api.tokens.sign(
      'userAction',
      { id: unsigned.jti, userId: admin.userId, orgId },
      new Date(Date.now() + 60_000),
    );
    const attempts: [Person, string | undefined][] = [
      [admin, undefined],
      [admin, ''],
      [admin, 'nonsense'],
      [admin, `${own}, ${own}`],
      [admin, admin.token],
      [admin, init.challengeIdentifier],
      [admin, forged],
      [admin, await stranger.client.userAction('POST', '/v2/policies', text)],
      [colleague, own],
      [stranger, own],
    ];
    for (const [person, userAction] of attempts) {
      const { status, body } = await create(person, text, userAction);
      expect({ status, body }).toEqual({ status: 403, body: { error: refused } });
    }
    expect(await policies(admin)).toEqual([]);
    expect((await create(admin, text, own)).status).toBe(200);
  });

  test('403: the action was signed for a different body, path or method, and stays unused', async () => {
    const admin = await newAdmin();
    const text = policy('exact');
    const userAction = await admin.client.userAction('POST', '/v2/policies', text);
    for (const altered of [
      create(admin, policy('Exact'), userAction),
      create(admin, ` ${text}`, userAction),
      create(admin, text.replace('{', '{ '), userAction),
      create(admin, text, userAction, '/policies'),
      create(admin, text, userAction, '/v2/policies/'),
      create(admin, text, userAction, '/v2/%70olicies'),
      create(admin, text, userAction, '/webhooks'),
      create(admin, text, userAction, '/v2/policies/plc-00000-00000-0000000000000000', 'PUT'),
    ]) {
      expect([403, 404]).toContain((await altered).status);
    }
    expect(await policies(admin)).toEqual([]);
    expect((await create(admin, text, userAction)).status).toBe(200);
  });

  test('403: the action has expired', async () => {
    const admin = await newAdmin();
    const text = policy('late');
    const userAction = await admin.client.userAction('POST', '/v2/policies', text);
    await api.database.db.withOrg(admin.orgId, (tx) =>
      tx.query('UPDATE user_actions SET date_expires = clock_timestamp() WHERE org_id = $1', [admin.orgId]),
    );
    expect([400, 403]).toContain((await create(admin, text, userAction)).status);
    expect(await policies(admin)).toEqual([]);
  });

  test('400: the signed body is not valid; the error lists the fields, and the action stays unused', async () => {
    const admin = await newAdmin();
    const text = JSON.stringify({ name: 7 });
    const userAction = await admin.client.userAction('POST', '/v2/policies', text);
    const { status, body } = await create(admin, text, userAction);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
    const [row] = await api.database.db
      .read(admin.orgId)
      .select<{ used: boolean }>('SELECT date_consumed IS NOT NULL AS used FROM user_actions');
    expect(row?.used).toBe(false);
  });

  test('403: the approval row has changed since the decision was signed', async () => {
    const admin = await newAdmin();
    const id = 'ap-00000-00000-0000000000000001';
    const path = `/v2/policy-approvals/${id}/decisions`;
    const text = JSON.stringify({ value: 'Approved' });
    await api.database.db.withOrg(admin.orgId, (tx) =>
      tx.query(
        `INSERT INTO approvals (org_id, id, activity_kind, activity_id, initiator_id, status, activity, digest, groups, evaluations, policy_epoch)
         VALUES ($1, $2, 'Wallets:Sign', 'xfr-00000-00000-0000000000000001', $3, 'Pending', '{}', $4, '[]', '[]', 1)`,
        [admin.orgId, id, admin.userId, 'a'.repeat(64)],
      ),
    );
    const userAction = await admin.client.userAction('POST', path, text);
    const [row] = await api.database.db
      .read(admin.orgId)
      .select<{ digest: string }>('SELECT approval_digest AS digest FROM user_actions');
    expect(row?.digest).toBe('a'.repeat(64));
    await api.database.db.withOrg(admin.orgId, (tx) =>
      tx.query('UPDATE approvals SET digest = $2 WHERE org_id = $1', [admin.orgId, 'b'.repeat(64)]),
    );
    const { status, body } = await create(admin, text, userAction, path);
    expect({ status, body }).toEqual({ status: 403, body: { error: refused } });
  });

  test('403: the permission is missing, which is checked before the user action', async () => {
    const reader = await api.createPerson(await api.createOrganization(), { operations: ['Policies:Read'] });
    const { status, body } = await create(reader, policy('no'));
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { error: { message: `CustomerEmployee ${reader.userId} is not authorized to perform operation (Policies:Create)` } },
    });
  });

  test('200: a path with or without /v2 or a trailing slash is one operation, and the path is signed exactly as sent', async () => {
    const admin = await newAdmin();
    for (const path of ['/v2/policies', '/policies', '/v2/policies/', '/policies/']) {
      const answer = await admin.client.change('POST', path, JSON.parse(policy(path)));
      expect(answer.status).toBe(200);
    }
    expect((await policies(admin)).length).toBe(4);
  });
});
