import { seeCharter } from '../../../support/charter-rows';
import { insertPolicy } from '../../../support/held-activity';
import { askFor } from '../../../support/policies';
import { type ProgramApi, startProgramApi, UNKNOWN_USER } from '../../../support/programs';

const PATH = '/auth/service-accounts';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

const naming = (orgId: string, userId: string) =>
  insertPolicy(programs.api.database.db, orgId, {
    name: 'Robots too',
    action: askFor([
      { name: 'Others', quorum: 1, approvers: {} },
      { name: 'Group', quorum: 1, approvers: { userId: { in: [userId] } } },
    ]),
  });

test('200: the answer is the archived account in full; afterwards its token is refused, the account is not found, and its key is removed', async () => {
  const admin = await programs.admin();
  const permissionId = await programs.permissionOf(admin);
  const { id, client, token } = await programs.account(admin, { name: 'Payroll', permissionId });
  const { body: before } = await admin.client.get(`${PATH}/${id}`);
  const { userInfo, accessTokens } = before as { userInfo: object; accessTokens: object[] };
  const { status, body } = await admin.client.change('DELETE', `${PATH}/${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    userInfo: { ...userInfo, isActive: false },
    accessTokens: [{ ...accessTokens[0], isActive: false }],
  });
  expect(body).toMatchObject({
    userInfo: { permissions: expect.arrayContaining(['Wallets:Create']), permissionAssignments: [{ permissionId }] },
    accessTokens: [{ credId: token.credId, linkedUserId: id, tokenId: token.tokenId }],
  });
  expect((await client.get(PATH)).status).toBe(401);
  expect((await admin.client.get(`${PATH}/${id}`)).status).toBe(404);
  expect((await admin.client.get(PATH)).body).toEqual({ items: [] });
  const rows = await programs.api.database.db
    .read(admin.orgId)
    .select('SELECT is_active, date_removed IS NOT NULL AS removed FROM credentials WHERE user_id = $1', [id]);
  expect(rows).toEqual([{ is_active: false, removed: true }]);
});

test('200: force archives even an account that an active policy lists; the signature does not cover the query', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  await naming(admin.orgId, id);
  const { status, body } = await admin.client.change('DELETE', `${PATH}/${id}?force=true`);
  expect([status, body]).toMatchObject([200, { userInfo: { userId: id } }]);
});

test('200: under a charter, the deactivation and the archival are each listed once as waiting for the signer', async () => {
  const admin = await programs.admin();
  const { orgId, client } = admin;
  const { db } = programs.api.database;
  const [before, removed] = [await programs.account(admin), await programs.account(admin)];
  expect((await client.change('DELETE', `${PATH}/${before.id}`)).status).toBe(200);
  await seeCharter(db, orgId);
  for (let times = 0; times < 2; times += 1)
    expect((await client.change('PUT', `${PATH}/${removed.id}/deactivate`, {})).status).toBe(200);
  expect((await client.change('DELETE', `${PATH}/${removed.id}`)).status).toBe(200);
  const { waiting } = (await client.get('/organizations/authority')).body as { waiting: { kind: string; request: object }[] };
  const path = `${PATH}/${removed.id}`;
  expect(waiting.map(({ kind, request }) => ({ kind, request }))).toEqual([
    { kind: 'deactivateServiceAccount', request: { method: 'PUT', path: `${path}/deactivate` } },
    { kind: 'archiveServiceAccount', request: { method: 'DELETE', path } },
  ]);
});

test('200: a service account can archive another service account', async () => {
  const admin = await programs.admin();
  const first = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
  const second = await programs.account(admin);
  expect((await first.client.change('DELETE', `${PATH}/${second.id}`)).status).toBe(200);
});

test('200: an account that only an archived policy lists can be archived', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  const policyId = await naming(admin.orgId, id);
  expect((await admin.client.change('DELETE', `/v2/policies/${policyId}`)).status).toBe(200);
  expect((await admin.client.change('DELETE', `${PATH}/${id}`)).status).toBe(200);
});

test.each(['?force=yes', '?force=', '?forced=true', '?force=true&force=true'])('400: %s', async (query) => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  expect((await admin.client.change('DELETE', `${PATH}/${id}${query}`)).status).toBe(400);
  expect((await admin.client.get(`${PATH}/${id}`)).status).toBe(200);
});

test('400: a service account archives itself', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
  const { status, body } = await client.change('DELETE', `${PATH}/${id}?force=true`);
  expect([status, body]).toMatchObject([400, { error: { message: 'service account cannot modify its own state' } }]);
});

test('403: without the permission', async () => {
  const orgId = await programs.api.createOrganization();
  const { id } = await programs.account(await programs.admin(orgId));
  const { client } = await programs.api.createPerson(orgId, { operations: ['Auth:ServiceAccounts:Deactivate'] });
  expect((await client.change('DELETE', `${PATH}/${id}`)).status).toBe(403);
});

test('404: a person, an unknown id, an archived account and an account of another organisation', async () => {
  const admin = await programs.admin();
  const archived = await programs.account(admin);
  await admin.client.change('DELETE', `${PATH}/${archived.id}`);
  const foreign = await programs.account(await programs.admin());
  const person = await programs.api.createPerson(admin.orgId);
  for (const id of [UNKNOWN_USER, archived.id, foreign.id, person.userId]) {
    expect((await admin.client.change('DELETE', `${PATH}/${id}`)).status).toBe(404);
  }
});

test('409: an active policy lists the account as an approver; the account stays, and the answer lists every such policy', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  const policies = [await naming(admin.orgId, id), await naming(admin.orgId, id)];
  await insertPolicy(programs.api.database.db, admin.orgId, { action: askFor([{ quorum: 1, approvers: {} }]) });
  for (const query of ['', '?force=false']) {
    const { status, body } = await admin.client.change('DELETE', `${PATH}/${id}${query}`);
    expect([status, body]).toMatchObject([409, { error: { id: 'NamedApprover' } }]);
    expect((body as { error: { details: { policies: object[] } } }).error.details.policies).toEqual(
      policies.map((policyId) => ({ id: policyId, name: 'Robots too' })),
    );
  }
  expect((await admin.client.get(`${PATH}/${id}`)).status).toBe(200);
});
