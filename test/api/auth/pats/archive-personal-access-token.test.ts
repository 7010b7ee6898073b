import { seeCharter } from '../../../support/charter-rows';
import { type ProgramApi, startProgramApi, UNKNOWN_TOKEN } from '../../../support/programs';

const PATH = '/auth/pats';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: the answer is the archived token; afterwards the token is not found, its key is removed, and the name is free', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.token(admin, { name: 'Laptop' });
  const before = (await admin.client.get(`${PATH}/${id}`)).body as object;
  const { status, body } = await admin.client.change('DELETE', `${PATH}/${id}`);
  expect([status, body]).toEqual([200, { ...before, isActive: false }]);
  expect((await client.get(PATH)).status).toBe(401);
  expect((await admin.client.get(`${PATH}/${id}`)).status).toBe(404);
  const rows = await programs.api.database.db
    .read(admin.orgId)
    .select('SELECT is_active, date_removed IS NOT NULL AS removed FROM credentials WHERE is_token_bound');
  expect(rows).toEqual([{ is_active: false, removed: true }]);
  expect((await programs.token(admin, { name: 'Laptop' })).name).toBe('Laptop');
  // The person's own credential did not belong to the token, so it stays active.
  expect((await admin.client.get('/auth/credentials')).body).toMatchObject({ items: [{ isActive: true }] });
});

test('200: a token can archive itself and the other tokens of its user', async () => {
  const admin = await programs.admin();
  const [first, second] = [await programs.token(admin), await programs.token(admin)];
  expect((await first.client.change('DELETE', `${PATH}/${second.id}`)).status).toBe(200);
  expect((await first.client.change('DELETE', `${PATH}/${first.id}`)).status).toBe(200);
  expect((await admin.client.get(PATH)).body).toEqual({ items: [] });
});

test('200: under a charter, the deactivation and the archival are listed as waiting for the signer', async () => {
  const admin = await programs.admin();
  const { orgId, client } = admin;
  const [before, removed] = [await programs.token(admin), await programs.token(admin)];
  expect((await client.change('DELETE', `${PATH}/${before.id}`)).status).toBe(200);
  await seeCharter(programs.api.database.db, orgId);
  const path = `${PATH}/${removed.id}`;
  expect((await client.change('PUT', `${path}/deactivate`)).status).toBe(200);
  expect((await client.change('DELETE', path)).status).toBe(200);
  const { waiting } = (await client.get('/organizations/authority')).body as { waiting: { kind: string; request: object }[] };
  expect(waiting.map(({ kind, request }) => ({ kind, request }))).toEqual([
    { kind: 'deactivatePersonalAccessToken', request: { method: 'PUT', path: `${path}/deactivate` } },
    { kind: 'archivePersonalAccessToken', request: { method: 'DELETE', path } },
  ]);
});

test('400: a body that is not empty', async () => {
  const admin = await programs.admin();
  const { id } = await programs.token(admin);
  expect((await admin.client.change('DELETE', `${PATH}/${id}`, { force: true })).status).toBe(400);
});

test('404: a token of a colleague or of a service account, a session, a removed token and an unknown token', async () => {
  const admin = await programs.admin();
  const theirs = await programs.token(await programs.api.createPerson(admin.orgId));
  const account = await programs.account(admin);
  const removed = await programs.token(admin);
  await admin.client.change('DELETE', `${PATH}/${removed.id}`);
  for (const id of [theirs.id, account.token.tokenId, admin.tokenId, removed.id, UNKNOWN_TOKEN]) {
    expect((await admin.client.change('DELETE', `${PATH}/${id}`)).status).toBe(404);
  }
  expect((await theirs.client.get(PATH)).status).toBe(200);
});
