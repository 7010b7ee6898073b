import { type FeeSponsorApi, startFeeSponsorApi } from '../../support/fee-sponsor-api';
import { START_LIMIT_MS } from '../../support/wallet-api';

let sponsors: FeeSponsorApi;
beforeAll(async () => {
  sponsors = await startFeeSponsorApi();
}, START_LIMIT_MS);
afterAll(() => sponsors?.close());

test('200: the sponsors, newest first, page by page', async () => {
  const [first, second] = [await sponsors.sponsor(), await sponsors.sponsor()];
  const { body } = await sponsors.admin.client.get('/fee-sponsors?limit=1');
  const { items, nextPageToken } = body as { items: readonly unknown[]; nextPageToken: string };
  expect(items).toEqual([second]);
  expect(await sponsors.admin.client.get(`/fee-sponsors?paginationToken=${nextPageToken}`)).toMatchObject({
    status: 200,
    body: { items: [first] },
  });
});

test('403: without FeeSponsors:Read', async () => {
  const person = await sponsors.api.createPerson(sponsors.orgId, { operations: ['FeeSponsors:Create'] });
  expect((await person.client.get('/fee-sponsors')).status).toBe(403);
});
