import { newId } from '../../../platform/ids';
import { type FeeSponsorApi, startFeeSponsorApi } from '../../support/fee-sponsor-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let sponsors: FeeSponsorApi;
beforeAll(async () => {
  sponsors = await startFeeSponsorApi();
}, START_LIMIT_MS);
afterAll(() => sponsors?.close());

const ask = (id: string, by = sponsors.admin) => by.client.change('DELETE', `/fee-sponsors/${id}`, {});

test('200: the sponsor is deleted, and a second deletion changes nothing', async () => {
  const { id } = await sponsors.sponsor();
  expect(await ask(id)).toMatchObject({ status: 200, body: { id, status: 'Archived' } });
  expect(await ask(id)).toMatchObject({ status: 200, body: { id, status: 'Archived' } });
});

test('403: without FeeSponsors:Delete', async () => {
  const { id } = await sponsors.sponsor();
  const person = await sponsors.api.createPerson(sponsors.orgId, { operations: ['FeeSponsors:Read'] });
  expect(await ask(id, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a sponsor that is unknown or belongs to another organisation', async () => {
  const { id } = await sponsors.sponsor();
  expect(await ask(newId('feeSponsor'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await ask(id, sponsors.stranger)).toMatchObject(refusal(404, 'NotFound'));
});
