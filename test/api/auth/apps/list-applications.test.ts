import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ env: { RP_ID: 'example.com', ORIGINS: 'https://wallets.example.com,https://desk.example.com' } });
});
afterAll(() => api?.close());

test('200: a person without any permission sees every web page on which people sign, and no page has tokens or permissions', async () => {
  const orgId = await api.createOrganization();
  const { client } = await api.createPerson(orgId, { operations: [] });
  const { status, body } = await client.get('/auth/apps');
  const page = {
    appId: expect.stringMatching(/^ap-[0-9a-f]{5}-[0-9a-f]{5}-[0-9a-f]{16}$/),
    kind: 'ClientSideApplication',
    orgId,
    expectedRpId: 'example.com',
    name: 'Strongroom',
    isActive: true,
    permissionAssignments: [],
    accessTokens: [],
  };
  expect([status, body]).toEqual([
    200,
    {
      items: [
        { ...page, expectedOrigin: 'https://wallets.example.com' },
        { ...page, expectedOrigin: 'https://desk.example.com' },
      ],
    },
  ]);
});

test('200: the id of a web page stays the same, and differs between pages and between organisations', async () => {
  const idsOf = async (orgId: string) => {
    const { body } = await (await api.createPerson(orgId)).client.get('/auth/apps');
    return (body as { items: { appId: string }[] }).items.map(({ appId }) => appId);
  };
  const [orgId, other] = [await api.createOrganization(), await api.createOrganization()];
  expect(await idsOf(orgId)).toEqual(await idsOf(orgId));
  expect(new Set([...(await idsOf(orgId)), ...(await idsOf(other))]).size).toBe(4);
});
