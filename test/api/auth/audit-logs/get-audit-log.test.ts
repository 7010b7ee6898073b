import { createPublicKey, verify } from 'node:crypto';
import { type ProgramApi, startProgramApi } from '../../../support/programs';

const PATH = '/auth/action/logs';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

type Entry = {
  readonly id: string;
  readonly actionToken: string;
  readonly firstFactorCredential: {
    readonly publicKey: string;
    readonly assertion: { readonly clientData: string; readonly signature: string };
  };
};

const idsOf = async (orgId: string) =>
  (
    await programs.api.database.db
      .read(orgId)
      .select<{ id: string; done: boolean }>('SELECT id, date_consumed IS NOT NULL AS done FROM user_actions ORDER BY id')
  ).map(({ id, done }) => [id, done] as const);

test('200: the answer has the change with its authorising signature, which every reader can verify', async () => {
  const admin = await programs.admin();
  const { token } = await programs.account(admin);
  const [[id = ''] = []] = await idsOf(admin.orgId);
  const { status, body } = await admin.client.get(`${PATH}/${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    id,
    action: 'createServiceAccount',
    actionToken: expect.any(String),
    userId: admin.userId,
    username: admin.username,
    datePerformed: expect.stringMatching(/^\d{4}-.*Z$/),
    firstFactorCredential: {
      id: admin.credentialUuid,
      kind: 'Key',
      publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
      assertion: { authenticatorData: null, clientData: expect.any(String), signature: expect.any(String) },
    },
  });
  const { actionToken, firstFactorCredential } = body as Entry;
  const { publicKey, assertion } = firstFactorCredential;
  const clientData = Buffer.from(assertion.clientData, 'base64url');
  expect(verify(null, clientData, createPublicKey(publicKey), Buffer.from(assertion.signature, 'base64url'))).toBe(true);
  expect(JSON.parse(clientData.toString())).toMatchObject({ challenge: actionToken });
  expect(token.credId).not.toBe(admin.credId);
});

test('200: a change whose operation no longer exists is shown with method and path; a change authorised with a password has no assertion', async () => {
  const admin = await programs.admin();
  await programs.account(admin);
  const [[id = ''] = []] = await idsOf(admin.orgId);
  await programs.api.database.arrange(
    `UPDATE user_actions SET path = '/gone', first_factor_kind = 'Password', public_key = NULL, client_data = NULL, signature = NULL
     WHERE org_id = $1 AND id = $2`,
    [admin.orgId, id],
  );
  expect((await admin.client.get(`${PATH}/${id}`)).body).toMatchObject({
    action: 'POST /gone',
    firstFactorCredential: { kind: 'Password', publicKey: '', assertion: null },
  });
});

test('403: without the permission', async () => {
  const orgId = await programs.api.createOrganization();
  await programs.account(await programs.admin(orgId));
  const person = await programs.api.createPerson(orgId, { operations: ['Auth:Users:Read'] });
  const [[id = ''] = []] = await idsOf(orgId);
  expect((await person.client.get(`${PATH}/${id}`)).status).toBe(403);
});

test('404: an action that was signed and never used, an action of another organisation and an unknown id', async () => {
  const admin = await programs.admin();
  await admin.client.userAction('DELETE', '/auth/pats/to', '{}');
  const [[unused = '', done] = []] = await idsOf(admin.orgId);
  expect(done).toBe(false);
  const stranger = await programs.admin();
  await programs.account(stranger);
  const [[foreign = ''] = []] = await idsOf(stranger.orgId);
  for (const id of [unused, foreign, 'ua-01abc-01abc-0123456789abcdef', 'init', 'ua']) {
    const { status, body } = await admin.client.get(`${PATH}/${id}`);
    expect([id, status, body]).toMatchObject([id, 404, { error: { message: 'audit log entry not found' } }]);
  }
});
