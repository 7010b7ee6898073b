import { type ProgramApi, startProgramApi, UNKNOWN_TOKEN } from '../../../support/programs';

const PATH = '/auth/pats';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: a token is readable for its user, for the token itself and for another token of the user', async () => {
  const admin = await programs.admin();
  const [first, second] = [await programs.token(admin, { name: 'First' }), await programs.token(admin)];
  for (const { client } of [admin, first, second]) {
    const { status, body } = await client.get(`${PATH}/${first.id}`);
    expect([status, body]).toMatchObject([200, { tokenId: first.id, name: 'First', kind: 'Pat', isActive: true }]);
    expect(body).not.toHaveProperty('accessToken');
  }
});

test('404: a token of a colleague, a service account or another organisation, a session and a removed token', async () => {
  const admin = await programs.admin();
  const colleague = await programs.api.createPerson(admin.orgId);
  const [own, theirs, account] = [await programs.token(admin), await programs.token(colleague), await programs.account(admin)];
  const foreign = await programs.token(await programs.admin());
  const removed = await programs.token(admin);
  await admin.client.change('DELETE', `${PATH}/${removed.id}`);
  for (const id of [theirs.id, account.token.tokenId, foreign.id, admin.tokenId, removed.id, UNKNOWN_TOKEN, 'to', '%20']) {
    for (const { client } of [admin, own]) {
      const { status, body } = await client.get(`${PATH}/${id}`);
      expect([id, status, body]).toMatchObject([id, 404, { error: { message: 'personal access token not found' } }]);
    }
  }
  // A service account does not find its own token under this path either: that token is not a personal access token.
  expect((await account.client.get(`${PATH}/${account.token.tokenId}`)).status).toBe(404);
});
