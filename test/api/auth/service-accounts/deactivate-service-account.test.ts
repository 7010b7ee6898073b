import { startApi } from '../../../support/api';
import { Client } from '../../../support/client';
import { insertPolicy } from '../../../support/held-activity';
import { askFor } from '../../../support/policies';
import { firstIssue } from '../../../support/policy-api';
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
    action: askFor([{ name: 'Group', quorum: 1, approvers: { userId: { in: ['us-somebody', userId] } } }]),
  });

test("200: every process refuses the account's next request and any user action that the account signed before", async () => {
  const other = await startApi({ database: programs.api.database, tokenKey: programs.api.tokenKey });
  try {
    const admin = await programs.admin();
    const { id, client } = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
    const elsewhere = new Client(other.url, client.identity);
    expect((await elsewhere.get(PATH)).status).toBe(200);
    const userAction = await client.userAction('PUT', `${PATH}/${id}`, '{}');
    const { status, body } = await admin.client.change('PUT', `${PATH}/${id}/deactivate`, {});
    expect([status, body]).toMatchObject([200, { userInfo: { isActive: false }, accessTokens: [{ isActive: false }] }]);
    for (const one of [client, elsewhere]) {
      const refused = await one.get(PATH);
      expect([refused.status, refused.body]).toMatchObject([400, { error: { message: 'User account has been deactivated.' } }]);
      const headers = { 'x-svc-useraction': userAction };
      expect((await one.send({ method: 'PUT', path: `${PATH}/${id}`, text: '{}', headers })).status).toBe(400);
    }
    expect((await admin.client.change('PUT', `${PATH}/${id}/deactivate`)).status).toBe(200);
  } finally {
    await other.close();
  }
});

test('200: force deactivates even an account that an active policy lists as an approver', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  await naming(admin.orgId, id);
  const { status, body } = await admin.client.change('PUT', `${PATH}/${id}/deactivate`, { force: true });
  expect([status, body]).toMatchObject([200, { userInfo: { isActive: false } }]);
});

test.each([
  [{ force: 'true' }, 'body.force'],
  [{ forced: true }, 'body.forced'],
])('400: for %j, the error contains the path of the fault', async (body, path) => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  const answer = await admin.client.change('PUT', `${PATH}/${id}/deactivate`, body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('400: a service account deactivates itself', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
  const { status, body } = await client.change('PUT', `${PATH}/${id}/deactivate`, { force: true });
  expect([status, body]).toMatchObject([400, { error: { message: 'service account cannot modify its own state' } }]);
});

test('403: without the permission, and by a personal access token, whatever its user may do', async () => {
  const orgId = await programs.api.createOrganization();
  const admin = await programs.admin(orgId);
  const { id } = await programs.account(admin);
  const person = await programs.api.createPerson(orgId, { operations: ['Auth:ServiceAccounts:Activate'] });
  for (const { client } of [person, await programs.token(admin)]) {
    expect((await client.change('PUT', `${PATH}/${id}/deactivate`, {})).status).toBe(403);
  }
});

test('404: a person, an unknown id and an account of another organisation', async () => {
  const admin = await programs.admin();
  const foreign = await programs.account(await programs.admin());
  const person = await programs.api.createPerson(admin.orgId);
  for (const id of [UNKNOWN_USER, foreign.id, person.userId]) {
    expect((await admin.client.change('PUT', `${PATH}/${id}/deactivate`, {})).status).toBe(404);
  }
});

test('409: an active policy lists the account as an approver; the account stays active, and the answer lists the policies', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  const policyId = await naming(admin.orgId, id);
  for (const sent of [{}, { force: false }, undefined]) {
    const { status, body } = await admin.client.change('PUT', `${PATH}/${id}/deactivate`, sent);
    expect([status, body]).toMatchObject([
      409,
      { error: { id: 'NamedApprover', details: { policies: [{ id: policyId, name: 'Robots too' }] } } },
    ]);
  }
  expect((await admin.client.get(`${PATH}/${id}`)).body).toMatchObject({ userInfo: { isActive: true } });
});
