import { newId } from '../../../platform/ids';
import { type FeeSponsorApi, startFeeSponsorApi } from '../../support/fee-sponsor-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let sponsors: FeeSponsorApi;
beforeAll(async () => {
  sponsors = await startFeeSponsorApi();
}, START_LIMIT_MS);
afterAll(() => sponsors?.close());

const ask = (body: object, by = sponsors.admin) => by.client.change('POST', '/fee-sponsors', body);

test('200: the sponsor is active, and the answer has every member of the published interface', async () => {
  const { id: walletId } = await sponsors.createWallet();
  expect(await ask({ walletId, name: 'Gas', allowEndUser: true })).toMatchObject({
    status: 200,
    body: {
      id: expect.stringMatching(/^fs-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      name: 'Gas',
      walletId,
      network: 'EthereumSepolia',
      status: 'Active',
      allowEndUser: true,
      dateCreated: expect.any(String),
    },
  });
});

test('409: the wallet already is a sponsor; after that sponsor is deleted, the wallet can become a new sponsor', async () => {
  const { id, walletId } = await sponsors.sponsor();
  expect(await ask({ walletId })).toMatchObject(refusal(409, 'Conflict', { walletId }));
  expect((await sponsors.admin.client.change('DELETE', `/fee-sponsors/${id}`)).status).toBe(200);
  expect((await ask({ walletId })).status).toBe(200);
});

test('400: a wallet that is unknown, belongs to another organisation or has no address, and an empty name', async () => {
  const { id: walletId } = await sponsors.createWallet();
  const { id: signing } = await sponsors.createWallet({ network: 'KeyECDSA' });
  expect(await ask({ walletId: newId('wallet') })).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.walletId')));
  expect(await ask({ walletId }, sponsors.stranger)).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.walletId')));
  expect(await ask({ walletId: signing })).toMatchObject(refusal(400, 'NetworkNotEnabled'));
  expect(await ask({ walletId, name: '' })).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.name')));
});

test('403: without FeeSponsors:Create, or without a user action', async () => {
  const { id: walletId } = await sponsors.createWallet();
  const person = await sponsors.api.createPerson(sponsors.orgId, { operations: ['FeeSponsors:Read'] });
  expect(await ask({ walletId }, person)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await sponsors.admin.client.post('/fee-sponsors', { walletId })).toMatchObject(refusal(403, 'UserActionInvalid'));
});
