import { newId } from '../../../../platform/ids';
import { RECIPIENT, startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let api: TransferApi;
let held: TransferBody;
beforeAll(async () => {
  api = await startTransferApi();
  await api.admin.client.change('PUT', '/organizations/settings', { equalPaymentHoldMinutes: 60 });
  const body = { kind: 'Evm', to: RECIPIENT, value: '1', data: '0x01' };
  await api.broadcast(body);
  held = (await api.broadcast({ ...body, gasLimit: '90000' })).body as TransferBody;
}, START_LIMIT_MS);
afterAll(() => api?.close());

const path = (id = held.id) => `/wallets/${api.wallet.id}/transactions/${id}/confirm`;

test('403: without Wallets:Transactions:Create', async () => {
  const person = await api.api.createPerson(api.orgId, { operations: ['Wallets:Transactions:Read'] });
  expect(await person.client.change('POST', path())).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a transaction that is unknown or belongs to another organisation, and a transfer', async () => {
  expect(await api.admin.client.change('POST', path(newId('transaction')))).toMatchObject(refusal(404, 'NotFound'));
  expect(await api.admin.client.change('POST', path((await api.request()).id))).toMatchObject(refusal(404, 'NotFound'));
  expect(await api.stranger.client.change('POST', path())).toMatchObject(refusal(404, 'NotFound'));
});

test('409: the transaction has a different call and does not wait for a confirmation', async () => {
  const other = (await api.broadcast({ kind: 'Evm', to: RECIPIENT, value: '1', data: '0x02' })).body as TransferBody;
  expect(await api.admin.client.change('POST', path(other.id))).toMatchObject(refusal(409, 'WrongState'));
});

test('200: the same call with a different gas limit waits, and proceeds once it is confirmed', async () => {
  expect(held).toMatchObject({ status: 'Pending', details: { stage: 'EqualPayment' } });
  const answer = await api.admin.client.change('POST', path());
  expect(answer).toMatchObject({ status: 200, body: { id: held.id, approvalId: expect.any(String) } });
});
