import { newId } from '../../../platform/ids';
import { type AddressWatchApi, startAddressWatchApi } from '../../support/address-watch-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let watches: AddressWatchApi;
beforeAll(async () => {
  watches = await startAddressWatchApi();
}, START_LIMIT_MS);
afterAll(() => watches?.close());

const remove = (id: string, by = watches.admin) => by.client.change('DELETE', `/address-watches/${id}`, {});

test('200: the watch is archived with the date, blocks are no longer searched for its address, and a second call changes nothing', async () => {
  const watch = await watches.watch();
  const first = await remove(watch.id);
  expect(first).toMatchObject({ status: 200, body: { ...watch, status: 'Archived', dateDeleted: expect.stringMatching(/Z$/) } });
  const reader = watches.api.database.db.read(watches.orgId);
  expect(await reader.select('SELECT is_active FROM watched_addresses WHERE subject_id = $1', [watch.id])).toEqual([
    { is_active: false },
  ]);
  expect((await remove(watch.id)).body).toEqual(first.body);
});

test('404: a watch that is unknown or belongs to another organisation', async () => {
  const { id } = await watches.watch();
  for (const [unknown, by] of [
    [newId('addressWatch'), watches.admin],
    [id, watches.stranger],
  ] as const)
    expect(await remove(unknown, by)).toMatchObject(refusal(404, 'NotFound', { addressWatchId: unknown }));
});

test('403: without AddressWatches:Delete', async () => {
  const { id } = await watches.watch();
  const person = await watches.api.createPerson(watches.orgId, { operations: ['AddressWatches:Create'] });
  expect(await remove(id, person)).toMatchObject(refusal(403, 'Forbidden'));
});
