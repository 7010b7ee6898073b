import { startApi } from '../../../support/api';
import { Client } from '../../../support/client';
import { type ProgramApi, startProgramApi, UNKNOWN_TOKEN } from '../../../support/programs';

const PATH = '/auth/pats';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test("200: every process refuses the next request of the token, and the token's user is not affected", async () => {
  const other = await startApi({ database: programs.api.database, tokenKey: programs.api.tokenKey });
  try {
    const admin = await programs.admin();
    const { id, client } = await programs.token(admin);
    const elsewhere = new Client(other.url, client.identity);
    expect((await elsewhere.get(PATH)).status).toBe(200);
    const { status, body } = await admin.client.change('PUT', `${PATH}/${id}/deactivate`, {});
    expect([status, body]).toMatchObject([200, { tokenId: id, isActive: false }]);
    for (const one of [client, elsewhere]) expect((await one.get(PATH)).status).toBe(401);
    expect((await admin.client.change('PUT', `${PATH}/${id}/deactivate`)).status).toBe(200);
  } finally {
    await other.close();
  }
});

test('200: a token can deactivate itself', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.token(admin);
  expect((await client.change('PUT', `${PATH}/${id}/deactivate`, {})).status).toBe(200);
  expect((await client.get(PATH)).status).toBe(401);
});

test('400: a body that is not empty', async () => {
  const admin = await programs.admin();
  const { id } = await programs.token(admin);
  expect((await admin.client.change('PUT', `${PATH}/${id}/deactivate`, { force: true })).status).toBe(400);
});

test('404: a token of a colleague or a service account, a session and an unknown token', async () => {
  const admin = await programs.admin();
  const theirs = await programs.token(await programs.api.createPerson(admin.orgId));
  const account = await programs.account(admin);
  for (const id of [theirs.id, account.token.tokenId, admin.tokenId, UNKNOWN_TOKEN]) {
    expect((await admin.client.change('PUT', `${PATH}/${id}/deactivate`, {})).status).toBe(404);
  }
  expect((await theirs.client.get(PATH)).status).toBe(200);
});
