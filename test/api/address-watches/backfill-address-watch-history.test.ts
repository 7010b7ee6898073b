import { newId } from '../../../platform/ids';
import { type AddressWatchApi, type AddressWatchBody, startAddressWatchApi } from '../../support/address-watch-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let watches: AddressWatchApi;
beforeAll(async () => {
  watches = await startAddressWatchApi();
}, START_LIMIT_MS);
afterAll(() => watches?.close());

const post = (id: string, body: object, by = watches.admin) =>
  by.client.change('POST', `/address-watches/${id}/history/backfill`, body);
async function liveWatch(height: number | null = 900): Promise<AddressWatchBody> {
  const watch = await watches.watch();
  await watches.api.database.arrange('UPDATE watched_addresses SET live_from = $2 WHERE subject_id = $1', [watch.id, height]);
  return watch;
}

test('200: the back-fill runs, and archiving the watch ends it', async () => {
  const { id: addressWatchId } = await liveWatch();
  const { body } = await post(addressWatchId, { fromBlock: 899 });
  expect(body).toMatchObject({
    ...{ addressWatchId, network: 'EthereumSepolia', liveFromBlock: 900 },
    backfill: { status: 'Running', cause: 'Requested', fromBlock: 899 },
  });
  await watches.admin.client.change('DELETE', `/address-watches/${addressWatchId}`);
  const ended = await watches.admin.client.get(`/address-watches/${addressWatchId}/history/backfill`);
  expect(ended.body).toMatchObject({
    backfill: { status: 'Stopped', reason: 'the address watch was archived', dateDone: expect.stringMatching(/Z$/) },
  });
});

test('400: the history is already complete from this block on', async () => {
  const { id } = await liveWatch();
  expect(await post(id, { fromBlock: 900 })).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.fromBlock')));
});

test('403: without AddressWatches:Create', async () => {
  const { id } = await liveWatch();
  const person = await watches.api.createPerson(watches.orgId, { operations: ['AddressWatches:Read'] });
  expect(await post(id, { fromBlock: 1 }, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a watch that is unknown or belongs to another organisation', async () => {
  const { id } = await liveWatch();
  expect(await post(newId('addressWatch'), { fromBlock: 1 })).toMatchObject(refusal(404, 'NotFound'));
  expect(await post(id, { fromBlock: 1 }, watches.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: an archived watch, a watch for which no block has been read yet, and a second back-fill', async () => {
  const fresh = await liveWatch(null);
  expect(await post(fresh.id, { fromBlock: 1 })).toMatchObject(refusal(409, 'WrongState'));
  const { id } = await liveWatch();
  await post(id, { fromBlock: 1 });
  expect(await post(id, { fromBlock: 1 })).toMatchObject(refusal(409, 'Conflict'));
  await watches.admin.client.change('DELETE', `/address-watches/${id}`);
  expect(await post(id, { fromBlock: 1 })).toMatchObject(refusal(409, 'WrongState'));
});
