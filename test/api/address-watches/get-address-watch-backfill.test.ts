import { newId } from '../../../platform/ids';
import { type AddressWatchApi, startAddressWatchApi } from '../../support/address-watch-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let watches: AddressWatchApi;
beforeAll(async () => {
  watches = await startAddressWatchApi();
}, START_LIMIT_MS);
afterAll(() => watches?.close());

const get = (id: string, by = watches.admin) => by.client.get(`/address-watches/${id}/history/backfill`);

test('200: the block from which the history is complete and the last back-fill, if there are any', async () => {
  const { id: addressWatchId } = await watches.watch();
  const subject = { addressWatchId, network: 'EthereumSepolia' };
  expect((await get(addressWatchId)).body).toEqual(subject);
  await watches.api.database.arrange('UPDATE watched_addresses SET live_from = 900 WHERE subject_id = $1', [addressWatchId]);
  await watches.admin.client.change('POST', `/address-watches/${addressWatchId}/history/backfill`, { fromBlock: 1 });
  expect((await get(addressWatchId)).body).toMatchObject({ ...subject, liveFromBlock: 900, backfill: { status: 'Running' } });
});

test('403: without AddressWatches:Read', async () => {
  const { id } = await watches.watch();
  const person = await watches.api.createPerson(watches.orgId, { operations: ['AddressWatches:Create'] });
  expect(await get(id, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a watch that is unknown or belongs to another organisation', async () => {
  const { id } = await watches.watch();
  expect(await get(newId('addressWatch'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(id, watches.stranger)).toMatchObject(refusal(404, 'NotFound'));
});
