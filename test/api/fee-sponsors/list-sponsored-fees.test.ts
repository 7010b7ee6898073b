import { newId } from '../../../platform/ids';
import { type FeeSponsorApi, startFeeSponsorApi } from '../../support/fee-sponsor-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let sponsors: FeeSponsorApi;
beforeAll(async () => {
  sponsors = await startFeeSponsorApi();
}, START_LIMIT_MS);
afterAll(() => sponsors?.close());

test('200: the list is empty for a sponsor that has not paid any fees', async () => {
  const { id } = await sponsors.sponsor();
  expect(await sponsors.admin.client.get(`/fee-sponsors/${id}/fees`)).toMatchObject({ status: 200, body: { items: [] } });
});

test('403: without FeeSponsors:Read', async () => {
  const { id } = await sponsors.sponsor();
  const person = await sponsors.api.createPerson(sponsors.orgId, { operations: ['FeeSponsors:Create'] });
  expect((await person.client.get(`/fee-sponsors/${id}/fees`)).status).toBe(403);
});

test('404: the sponsor is unknown or belongs to another organisation', async () => {
  const { id } = await sponsors.sponsor();
  expect(await sponsors.admin.client.get(`/fee-sponsors/${newId('feeSponsor')}/fees`)).toMatchObject(refusal(404, 'NotFound'));
  expect((await sponsors.stranger.client.get(`/fee-sponsors/${id}/fees`)).status).toBe(404);
});
