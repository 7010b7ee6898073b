import { AUDIT_ROWS_MAX } from '../../../../domain/audit';
import { firstIssue } from '../../../support/policy-api';
import { type ProgramApi, startProgramApi, UNKNOWN_USER } from '../../../support/programs';
import { asSuperuser } from '../../../support/roles';

const PATH = '/auth/action/logs';
const HEADER = 'id,datePerformed,action,permission,method,path,bodySha256,userId,username,tokenId,credentialUuid,credentialKind';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

type Asked = { readonly startTime?: string; readonly endTime?: string; readonly userId?: string };
type Asking = { readonly identity: { readonly token: string } };

async function ask({ identity }: Asking, asked: Asked = {}, headers: Record<string, string> = {}) {
  const times = { startTime: '2020-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00.000Z' };
  const response = await fetch(`${programs.api.url}${PATH}?${new URLSearchParams({ ...times, ...asked })}`, {
    headers: { authorization: `Bearer ${identity.token}`, ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, lines: text.trimEnd().split('\n') };
}

const columnOf = (lines: readonly string[], name: string) =>
  lines.slice(1).map((line) => line.split(',')[HEADER.split(',').indexOf(name)]);

/** Inserts rows of carried-out changes, one millisecond apart, without the API and without triggers. */
const performed = (orgId: string, userId: string, count: number) =>
  asSuperuser(async (superuser) => {
    await superuser.query(`SET session_replication_role = 'replica'`);
    await superuser.query(
      `INSERT INTO user_actions (org_id, id, user_id, token_id, method, path, body_sha256, credential_ids, nonce, challenge,
           date_expires, date_signed, date_consumed)
         SELECT $1, 'ua-' || lpad(n::text, 12, '0'), $2, 'to', 'POST', '/wallets', 'digest', '[]', '', '', now(), now(),
           '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 millisecond'
         FROM generate_series(1, $3) n`,
      [orgId, userId, count],
    );
  }, programs.api.database.name);

test('200: each change that was carried out has a line with its signer, oldest first', async () => {
  const admin = await programs.admin();
  const stranger = await programs.admin();
  await stranger.client.change('POST', '/auth/pats', { name: 'Elsewhere', publicKey: 'none' });
  const account = await programs.account(admin);
  const token = await programs.token(admin);
  await token.client.change('PUT', `/auth/pats/${token.id}`, { name: 'Renamed' });
  // There is no line for a refused change or for a change that was only signed.
  await admin.client.change('PUT', `/auth/pats/${token.id}/activate`, { force: true });
  await admin.client.userAction('PUT', `/auth/pats/${token.id}/activate`, '{}');

  const { status, headers, lines } = await ask(admin.client);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.has('x-svc-result-truncated')).toBe(false);
  expect(lines[0]).toBe(HEADER);
  expect(columnOf(lines, 'action')).toEqual(['createServiceAccount', 'createPersonalAccessToken', 'updatePersonalAccessToken']);
  expect(columnOf(lines, 'permission')).toEqual(['Auth:ServiceAccounts:Create', 'Auth:Pats:Create', '']);
  expect(columnOf(lines, 'method')).toEqual(['POST', 'POST', 'PUT']);
  expect(columnOf(lines, 'userId')).toEqual([admin.userId, admin.userId, admin.userId]);
  expect(columnOf(lines, 'username')).toEqual([admin.username, admin.username, admin.username]);
  expect(columnOf(lines, 'tokenId')).toEqual([admin.tokenId, admin.tokenId, token.id]);
  expect(columnOf(lines, 'credentialKind')).toEqual(['Key', 'Key', 'Key']);
  expect(columnOf(lines, 'path')[2]).toBe(`/auth/pats/${token.id}`);
  const dates = columnOf(lines, 'datePerformed');
  expect([...dates].sort()).toEqual(dates);

  const [, second = ''] = dates;
  const within = await ask(admin.client, { startTime: second, endTime: second });
  expect(columnOf(within.lines, 'datePerformed')).toEqual([second]);
  const reader = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
  expect(columnOf((await ask(reader.client, { userId: account.id })).lines, 'id')).toEqual([]);
  expect((await ask(admin.client, { userId: UNKNOWN_USER })).lines).toEqual([HEADER]);
});

test('200: a caller who requests JSON gets the same text as one JSON string', async () => {
  const admin = await programs.admin();
  await programs.token(admin);
  const { text } = await ask(admin.client);
  for (const accept of ['text/csv', '*/*', 'text/csv, application/json;q=0.5', 'image/png']) {
    const answer = await ask(admin.client, {}, { accept });
    expect([accept, answer.headers.get('content-type'), answer.text]).toEqual([accept, 'text/csv; charset=utf-8', text]);
  }
  for (const accept of ['application/json', 'application/json, text/plain, */*']) {
    const answer = await ask(admin.client, {}, { accept });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(answer.text)).toBe(text);
  }
});

test('200: a spreadsheet does not read a name as a formula, and quotes and line breaks stay in their field', async () => {
  const admin = await programs.admin();
  await programs.token(admin);
  for (const [name, field] of [
    ['=HYPERLINK("http://example.com")', `"'=HYPERLINK(""http://example.com"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['a,"b"', '"a,""b"""'],
    ['a\nb', '"a\nb"'],
  ] as const) {
    await programs.api.database.db.withOrg(admin.orgId, (tx) =>
      tx.query('UPDATE users SET username = $3 WHERE org_id = $1 AND id = $2', [admin.orgId, admin.userId, name]),
    );
    expect((await ask(admin.client)).text).toContain(`,${admin.userId},${field},${admin.tokenId},`);
  }
});

test('200: a list of exactly the allowed number of entries is complete; a longer list is cut off, and this is reported', async () => {
  const admin = await programs.admin();
  await performed(admin.orgId, admin.userId, AUDIT_ROWS_MAX + 1);
  const exact = { startTime: '2026-01-01T00:00:00.002Z', endTime: '2027-01-01T00:00:00Z' };
  const whole = await ask(admin.client, exact);
  expect(whole.headers.has('x-svc-result-truncated')).toBe(false);
  expect(whole.lines).toHaveLength(AUDIT_ROWS_MAX + 1);
  expect(new Set(columnOf(whole.lines, 'id')).size).toBe(AUDIT_ROWS_MAX);

  const cut = await ask(admin.client, { ...exact, startTime: '2026-01-01T00:00:00Z', userId: admin.userId });
  expect(cut.headers.get('x-svc-result-truncated')).toBe('true');
  expect(cut.lines).toHaveLength(AUDIT_ROWS_MAX + 2);
  expect(cut.lines.at(-1)).toMatch(/^# TRUNCATED/);
  expect(cut.lines[AUDIT_ROWS_MAX]).toContain(`ua-${String(AUDIT_ROWS_MAX).padStart(12, '0')}`);

  const parsed: unknown = JSON.parse((await ask(admin.client, exact, { accept: 'application/json' })).text);
  expect(parsed).toBe(whole.text);
});

test.each([
  ['startTime=yesterday&endTime=2026-01-01T00:00:00Z', 'query.startTime'],
  ['startTime=2026-01-01&endTime=2026-01-02', 'query.startTime'],
  ['endTime=2026-01-01T00:00:00Z', 'query.startTime'],
  ['startTime=2026-01-01T00:00:00Z', 'query.endTime'],
  ['startTime=2026-01-02T00:00:00Z&endTime=2026-01-01T00:00:00Z', 'query.endTime'],
  ['startTime=2026-01-01T00:00:00Z&endTime=2026-01-02T00:00:00Z&limit=1', 'query.limit'],
])('400: %s', async (query, path) => {
  const { client } = await programs.admin();
  const { status, body } = await client.get(`${PATH}?${query}`);
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe(path);
});

test('401: without a token', async () => {
  expect((await ask({ identity: { token: 'none' } })).status).toBe(401);
});

test('403: without the permission', async () => {
  const person = await programs.api.createPerson(await programs.api.createOrganization(), { operations: ['Auth:Users:Read'] });
  expect((await ask(person.client)).status).toBe(403);
});
