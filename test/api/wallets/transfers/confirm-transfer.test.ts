import { createJudgementActivities } from '../../../../activities/outgoing/judge';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { newId } from '../../../../platform/ids';
import { APPROVING } from '../../../support/approving';
import { ANY_CAUSE } from '../../../support/causes';
import { startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let api: TransferApi;
beforeAll(async () => {
  api = await startTransferApi();
  const held = await api.admin.client.change('PUT', '/organizations/settings', { equalPaymentHoldMinutes: 60 });
  if (held.status !== 200) throw new Error(JSON.stringify(held.body));
}, START_LIMIT_MS);
afterAll(() => api?.close());

const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const path = (id: string, verb: string, walletId = api.wallet.id) => `/wallets/${walletId}/transfers/${id}/${verb}`;
const confirm = (id: string) => api.admin.client.change('POST', path(id, 'confirm'));
let amount = 7_000;
/** A payment with an amount that differs from all earlier payments. */
const payment = () => {
  amount += 1;
  return { amount: String(amount) };
};
/** Requests the same payment twice. */
async function twice(body = payment(), more = {}) {
  const first = await api.request({ ...body, ...more });
  return { first, second: await api.request(body) };
}
const isHeld = (answer: TransferBody) => 'details' in answer;

test('200: an equal payment without externalId waits, refers to the first payment, and proceeds after a confirmation', async () => {
  const { first, second } = await twice();
  const held = { stage: 'EqualPayment', equalTo: first.id, until: expect.stringMatching(/Z$/) };
  expect(second).toMatchObject({ status: 'Pending', details: held });
  expect((await api.admin.client.get(path(second.id, 'explain'))).body).toMatchObject({
    stage: 'EqualPayment',
    until: { outcome: 'the transfer fails automatically' },
    equalPayment: { requestId: first.id },
    summary: expect.stringContaining(first.id),
  });
  expect(second).not.toHaveProperty('approvalId');
  for (const _time of [1, 2]) {
    const answer = await confirm(second.id);
    expect(answer).toMatchObject({ status: 200, body: { id: second.id, approvalId: expect.any(String) } });
    expect(answer.body).not.toHaveProperty('details');
  }
});

test.each<[string, object, object, boolean]>([
  ['an earlier payment with an externalId holds an equal payment without one', { externalId: 'equal-1' }, {}, true],
  ['a payment with an externalId is not held', {}, { externalId: 'equal-2' }, false],
  ['a payment to a different recipient is not held', {}, { to: OTHER }, false],
  ['a payment with a different priority is held', {}, { priority: 'Fast' }, true],
])('200: %s', async (_title, more, other, kept) => {
  const body = payment();
  await api.request({ ...body, ...more });
  expect(isHeld(await api.request({ ...body, ...other }))).toBe(kept);
});

test('200: a payment that failed, or was requested before the time window, does not hold another payment', async () => {
  const { db } = api.api.database;
  const change = (id: string, set: Partial<OutgoingEntity>) =>
    db.withOrg(api.orgId, (tx) => tx.update(OutgoingEntity, { id }, set));
  const failed = payment();
  await change((await api.request(failed)).id, { state: 'Failed' });
  expect(isHeld(await api.request(failed))).toBe(false);
  const old = payment();
  await change((await api.request(old)).id, { dateRequested: new Date(Date.now() - 61 * 60_000) });
  expect(isHeld(await api.request(old))).toBe(false);
});

test('409: the equal payment has failed because its time is over, and can no longer be confirmed', async () => {
  const { first, second } = await twice();
  const { endEqual } = createJudgementActivities({
    ...APPROVING,
    causes: ANY_CAUSE,
    db: api.api.database.db,
    prices: { priceOf: async () => undefined },
  });
  for (const _time of [1, 2]) await endEqual({ orgId: api.orgId, transferId: second.id });
  expect(await confirm(second.id)).toMatchObject(refusal(409, 'WrongState', { status: 'Failed' }));
  const { body } = await api.admin.client.get(`/wallets/${api.wallet.id}/transfers/${second.id}`);
  expect(body).toMatchObject({ status: 'Failed', reason: expect.stringContaining(first.id) });
  expect(await confirm(first.id)).toMatchObject(refusal(409, 'WrongState'));
});

test('409: the equal payment was aborted', async () => {
  const { second } = await twice();
  expect(await api.admin.client.change('PUT', path(second.id, 'abort'))).toMatchObject({
    status: 200,
    body: { status: 'Failed' },
  });
  expect(await confirm(second.id)).toMatchObject(refusal(409, 'WrongState'));
});

test('403: without Wallets:Transfers:Create', async () => {
  const { second } = await twice();
  const person = await api.api.createPerson(api.orgId, { operations: ['Wallets:Transfers:Read'] });
  expect(await person.client.change('POST', path(second.id, 'confirm'))).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a transfer that is unknown or belongs to another wallet or organisation', async () => {
  const { second } = await twice();
  expect(await confirm(newId('transfer'))).toMatchObject(refusal(404, 'NotFound'));
  const other = await api.createWallet();
  expect(await api.admin.client.change('POST', path(second.id, 'confirm', other.id))).toMatchObject(refusal(404, 'NotFound'));
  expect(await api.stranger.client.change('POST', path(second.id, 'confirm'))).toMatchObject(refusal(404, 'NotFound'));
});
