import { type PermissionApi, startPermissionApi } from '../../support/permission-api';
import { errorId } from '../../support/policy-api';
import { type ProgramApi, pemOf, startProgramApi } from '../../support/programs';

let parts: PermissionApi;
let programs: ProgramApi;
beforeAll(async () => {
  parts = await startPermissionApi();
  programs = await startProgramApi(parts.api);
});
afterAll(() => parts?.close());

/** The change request that would assign the permission. */
async function waiting(permissionId: string) {
  const [row] = await parts.db
    .read(parts.orgId)
    .select<{ id: string; approvalId: string; status: string }>(
      `SELECT id, approval_id AS "approvalId", status FROM change_requests WHERE change ->> 'permissionId' = $1`,
      [permissionId],
    );
  if (!row) throw new Error('no change request was written');
  return row;
}

test('if a policy requires approval, a program exists at once and has no rights until people have approved', async () => {
  for (const path of ['/auth/service-accounts', '/auth/pats'] as const) {
    const permissionId = await parts.permission(['Permissions:Read']);
    const policyId = await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [permissionId] } } });
    const made =
      path === '/auth/pats'
        ? await programs.token(parts.admin, { permissionId })
        : await programs.account(parts.admin, { permissionId });
    const request = await waiting(permissionId);
    expect(request.status).toBe('Pending');
    expect((await made.client.get('/permissions')).status).toBe(403);
    // A token that waits for its permission does not have the rights of its user meanwhile.
    expect((await made.client.get('/auth/users')).status).toBe(403);
    expect((await parts.decide(request.approvalId, 'Approved')).status).toBe(200);
    await parts.review(request.id);
    expect((await made.client.get('/permissions')).status).toBe(200);
    expect((await made.client.get('/auth/users')).status).toBe(403);
    await parts.drop(policyId);
  }
});

test('a program does not get a permission that people have denied', async () => {
  const permissionId = await parts.permission(['Permissions:Read']);
  const policyId = await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [permissionId] } } });
  const { client } = await programs.account(parts.admin, { permissionId });
  const { id, approvalId } = await waiting(permissionId);
  expect((await parts.decide(approvalId, 'Denied')).status).toBe(200);
  await parts.review(id);
  expect((await client.get('/permissions')).status).toBe(403);
  await parts.drop(policyId);
});

test('if a policy blocks, no program is created, and the signed user action is not used up', async () => {
  const permissionId = await parts.permission(['Permissions:Read']);
  const policyId = await parts.hold('Permissions:Assign', {
    filters: { permissionId: { in: [permissionId] } },
    action: { kind: 'Block' },
  });
  const before = (await parts.admin.client.get('/auth/service-accounts')).body;
  const path = '/auth/service-accounts';
  const text = JSON.stringify({ name: 'Blocked', publicKey: pemOf(programs.newKeys()), permissionId });
  const headers = { 'x-svc-useraction': await parts.admin.client.userAction('POST', path, text) };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, body } = await parts.admin.client.send({ method: 'POST', path, text, headers });
    expect([status, errorId(body)]).toEqual([403, 'PolicyBlocked']);
  }
  expect((await parts.admin.client.get(path)).body).toEqual(before);
  await parts.drop(policyId);
  expect((await parts.admin.client.send({ method: 'POST', path, text, headers })).status).toBe(200);
});
