import { EventEntity } from '../../../entities/events/event.entity';
import { newId } from '../../../platform/ids';
import { type FreezeApi, startFreezeApi } from '../../support/freeze-api';
import { waitUntil } from '../../support/wait-until';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let freezes: FreezeApi;
beforeAll(async () => {
  freezes = await startFreezeApi();
}, START_LIMIT_MS);
afterAll(() => freezes?.close());

const shown = async (id: string) => (await freezes.admin.client.get(`/freezes/${id}`)).body as Record<string, unknown>;

test('200: without a policy on Policies:Modify, a release ends the freeze at once, and a second release changes nothing', async () => {
  const { id } = await freezes.freeze();
  const { status, body } = await freezes.release(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    status: 'Released',
    releasedBy: expect.stringMatching(/^cr-/),
    dateReleased: expect.any(String),
  });
  const told = await waitUntil('the signer to release the freeze', async () => {
    const now = await shown(id);
    return now['dateSignerReleased'] !== undefined && now;
  });
  expect(await freezes.release(id)).toMatchObject({ status: 200, body: told });
  const reader = freezes.api.database.db.read(freezes.orgId);
  const events = await reader.rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [id]);
  expect(events.map(({ kind }) => kind)).toEqual(['freeze.created', 'freeze.released']);
  const again = await freezes.freeze();
  expect(again.id).not.toBe(id);
  await freezes.release(again.id);
});

test('200: if the signer has not confirmed a release for a day, a second call requests it again; otherwise it changes nothing', async () => {
  const { id } = await freezes.freeze();
  await freezes.release(id);
  await waitUntil('the signer to release the freeze', async () => (await shown(id))['dateSignerReleased'] !== undefined);
  const first = await shown(id);
  const requestedBefore = (age: string) =>
    freezes.api.database.arrange(
      `UPDATE user_actions SET date_created = clock_timestamp() - $2::interval
       WHERE id = (SELECT release_action_id FROM freezes WHERE id = $1)`,
      [id, age],
    );
  const untold = () => freezes.api.database.arrange('UPDATE freezes SET date_signer_released = NULL WHERE id = $1', [id]);
  await requestedBefore('25 hours');
  expect((await freezes.release(id)).body).toEqual(first);
  await untold();
  await requestedBefore('23 hours 59 minutes');
  expect((await freezes.release(id)).body).toMatchObject({ releasedBy: first['releasedBy'] });
  await requestedBefore('24 hours 1 second');
  const { status, body } = await freezes.release(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ dateReleased: first['dateReleased'], releasedBy: expect.stringMatching(/^cr-/) });
  expect(body).not.toMatchObject({ releasedBy: first['releasedBy'] });
  await waitUntil('the signer to confirm the new request', async () => (await shown(id))['dateSignerReleased'] !== undefined);
  const reader = freezes.api.database.db.read(freezes.orgId);
  const events = await reader.rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [id]);
  expect(events.map(({ kind }) => kind)).toEqual(['freeze.created', 'freeze.released']);
});

test('400: a body that is not empty', async () => {
  const { id } = await freezes.freeze();
  const answer = await freezes.admin.client.change('DELETE', `/freezes/${id}`, { force: true });
  expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.force')));
});

test('403: the caller has the right to freeze but not the right to release', async () => {
  const { id } = await freezes.freeze();
  const other = await freezes.api.createPerson(freezes.orgId, { operations: ['Freezes:Create', 'Freezes:Read'] });
  expect((await freezes.release(id, other)).status).toBe(403);
  expect(await shown(id)).toMatchObject({ status: 'Active' });
});

test('404: a freeze that is unknown or belongs to another organisation', async () => {
  const { id } = await freezes.freeze();
  expect((await freezes.release(newId('freeze'))).status).toBe(404);
  expect((await freezes.release(id, freezes.stranger)).status).toBe(404);
  expect(await shown(id)).toMatchObject({ status: 'Active' });
});

describe('a release that waits because of a policy on Policies:Modify', () => {
  let id: string;
  beforeAll(() => freezes.guard());
  beforeEach(async () => {
    id = (await freezes.freeze()).id;
  });
  type Change = { readonly id: string; readonly approvalId: string };

  test('202: the freeze stays active until people approve the release, and a second request to release it is refused', async () => {
    const { status, body } = await freezes.release(id);
    expect(status).toBe(202);
    const change = body as Change;
    expect(change).toMatchObject({ kind: 'Freeze', operationKind: 'Delete', entityId: id, body: { id, status: 'Released' } });
    expect(await shown(id)).toMatchObject({ status: 'Active' });
    const second = await freezes.release(id);
    const pending = { changeRequestId: change.id, approvalId: change.approvalId };
    expect(second).toMatchObject(refusal(409, 'ChangePending', pending));
    await freezes.decide(change, 'Approved');
    expect(await shown(id)).toMatchObject({ status: 'Released', releasedBy: change.id });
  });

  test('202: after a denied release, the freeze stays active', async () => {
    const { body } = await freezes.release(id);
    await freezes.decide(body as Change, 'Denied');
    const now = await shown(id);
    expect(now).toMatchObject({ status: 'Active' });
    expect(now).not.toHaveProperty('pendingChangeRequest');
  });
});
