import { newId } from '../../../platform/ids';
import { type AddressWatchApi, startAddressWatchApi } from '../../support/address-watch-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let watches: AddressWatchApi;
beforeAll(async () => {
  watches = await startAddressWatchApi();
}, START_LIMIT_MS);
afterAll(() => watches?.close());

const get = (id: string, by = watches.admin) => by.client.get(`/address-watches/${id}`);

test('200: the record is the same as at its creation, and an archived watch stays readable', async () => {
  const watch = await watches.watch({ name: 'Cold', externalId: newId('transfer') });
  expect(await get(watch.id)).toMatchObject({ status: 200, body: watch });
  await watches.admin.client.change('DELETE', `/address-watches/${watch.id}`);
  expect((await get(watch.id)).body).toEqual({ ...watch, status: 'Archived', dateDeleted: expect.any(String) });
});

test('404: a watch that is unknown or belongs to another organisation, and an id of another kind', async () => {
  const { id } = await watches.watch();
  expect(await get(newId('addressWatch'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(id, watches.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without AddressWatches:Read', async () => {
  const { id } = await watches.watch();
  const person = await watches.api.createPerson(watches.orgId, { operations: ['AddressWatches:Create'] });
  expect(await get(id, person)).toMatchObject(refusal(403, 'Forbidden'));
});
