import { newId } from '../../../platform/ids';
import { type FreezeApi, startFreezeApi } from '../../support/freeze-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let freezes: FreezeApi;
beforeAll(async () => {
  freezes = await startFreezeApi();
}, START_LIMIT_MS);
afterAll(() => freezes?.close());

test('200: the freeze is shown, with its pending release while the release waits for approval', async () => {
  const { id } = await freezes.freeze();
  const shown = () => freezes.admin.client.get(`/freezes/${id}`);
  expect((await shown()).body).not.toHaveProperty('pendingChangeRequest');
  await freezes.guard();
  const { body: change } = await freezes.release(id);
  expect(await shown()).toMatchObject({ status: 200, body: { id, status: 'Active', pendingChangeRequest: change } });
});

test('403: without Freezes:Read', async () => {
  const { id } = await freezes.freeze();
  const other = await freezes.api.createPerson(freezes.orgId, { operations: ['Freezes:Create'] });
  expect((await other.client.get(`/freezes/${id}`)).status).toBe(403);
});

test('404: a freeze that is unknown or belongs to another organisation', async () => {
  const { id } = await freezes.freeze();
  for (const unknown of [newId('freeze'), 'no-id']) {
    expect(await freezes.admin.client.get(`/freezes/${unknown}`)).toMatchObject(refusal(404, 'NotFound', { freezeId: unknown }));
  }
  expect((await freezes.stranger.client.get(`/freezes/${id}`)).status).toBe(404);
});
