import { firstIssue } from '../../../support/policy-api';
import { type ProgramApi, startProgramApi, UNKNOWN_TOKEN } from '../../../support/programs';

const PATH = '/auth/pats';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: only the sent members change, and the token stays valid', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.token(admin, { name: 'Before' });
  const { status, body } = await admin.client.change('PUT', `${PATH}/${id}`, { name: 'After', externalId: 'asset-1' });
  expect([status, body]).toMatchObject([200, { tokenId: id, name: 'After', isActive: true }]);
  expect((await client.change('PUT', `${PATH}/${id}`, {})).body).toMatchObject({ name: 'After' });
  expect((await client.change('PUT', `${PATH}/${id}`, { name: 'By itself' })).body).toMatchObject({ name: 'By itself' });
});

test.each([
  [{ name: '' }, 'body.name'],
  [{ externalId: null }, 'body.externalId'],
  [{ daysValid: 1 }, 'body.daysValid'],
  [{ isRestricted: false }, 'body.isRestricted'],
])('400: for %j, the error contains the path of the fault', async (body, path) => {
  const admin = await programs.admin();
  const { id } = await programs.token(admin);
  const answer = await admin.client.change('PUT', `${PATH}/${id}`, body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('404: a token of a colleague or a service account, a session and an unknown token', async () => {
  const admin = await programs.admin();
  const theirs = await programs.token(await programs.api.createPerson(admin.orgId));
  const account = await programs.account(admin);
  for (const id of [theirs.id, account.token.tokenId, admin.tokenId, UNKNOWN_TOKEN]) {
    expect((await admin.client.change('PUT', `${PATH}/${id}`, { name: 'Mine' })).status).toBe(404);
  }
});

test('409: the name or the external id is already in use, and nothing changes', async () => {
  const admin = await programs.admin();
  await programs.token(admin, { name: 'Taken', externalId: 'taken' });
  const { id } = await programs.token(admin, { name: 'Free' });
  for (const body of [{ name: 'Taken' }, { name: 'New', externalId: 'taken' }]) {
    const answer = await admin.client.change('PUT', `${PATH}/${id}`, body);
    expect([answer.status, answer.body]).toMatchObject([409, { error: { id: 'Conflict' } }]);
  }
  expect((await admin.client.get(`${PATH}/${id}`)).body).toMatchObject({ name: 'Free' });
});
