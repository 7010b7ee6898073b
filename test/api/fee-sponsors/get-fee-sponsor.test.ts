import { newId } from '../../../platform/ids';
import { type FeeSponsorApi, startFeeSponsorApi } from '../../support/fee-sponsor-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let sponsors: FeeSponsorApi;
beforeAll(async () => {
  sponsors = await startFeeSponsorApi();
}, START_LIMIT_MS);
afterAll(() => sponsors?.close());

test('200: the answer is the sponsor as it was created', async () => {
  const sponsor = await sponsors.sponsor({ name: 'Gas' });
  expect(await sponsors.admin.client.get(`/fee-sponsors/${sponsor.id}`)).toMatchObject({ status: 200, body: sponsor });
});

test('403: without FeeSponsors:Read', async () => {
  const { id } = await sponsors.sponsor();
  const person = await sponsors.api.createPerson(sponsors.orgId, { operations: ['FeeSponsors:Create'] });
  expect((await person.client.get(`/fee-sponsors/${id}`)).status).toBe(403);
});

test('404: a sponsor that is unknown or belongs to another organisation', async () => {
  const { id } = await sponsors.sponsor();
  for (const unknown of [newId('feeSponsor'), 'no-id']) {
    expect(await sponsors.admin.client.get(`/fee-sponsors/${unknown}`)).toMatchObject(
      refusal(404, 'NotFound', { feeSponsorId: unknown }),
    );
  }
  expect((await sponsors.stranger.client.get(`/fee-sponsors/${id}`)).status).toBe(404);
});
