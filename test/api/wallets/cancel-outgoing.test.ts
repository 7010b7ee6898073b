import { newId } from '../../../platform/ids';
import { type ReplacementApi, startReplacementApi } from '../../support/replacement-api';
import type { TransferBody } from '../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let api: ReplacementApi;
beforeAll(async () => {
  api = await startReplacementApi();
}, START_LIMIT_MS);
afterAll(() => api?.close());

describe.each([
  { id: 'cancelTransfer', form: 'transfers', kind: 'transfer', permissions: 'Wallets:Transfers' },
  { id: 'cancelTransaction', form: 'transactions', kind: 'transaction', permissions: 'Wallets:Transactions' },
] as const)('$id', ({ form, kind, permissions }) => {
  test.each(['Broadcasted', 'Signed', 'Signing'] as const)(
    '200: %s: a transaction of nothing to oneself, judged like any other, that shares the claim',
    async (state) => {
      const id = await api.standing(form, state);
      const answer = await api.admin.client.change('POST', api.path(id, 'cancel'));
      expect(answer).toMatchObject({
        status: 200,
        body: { status: 'Pending', replacementId: id, requestBody: { kind: 'CancelTransaction' } },
      });
      const none = await api.row((answer.body as TransferBody).id);
      expect(none).toMatchObject({
        replacesId: id,
        claimsOf: id,
        amountUnits: '0',
        toAddress: none.fromAddress,
        form: 'Transaction',
      });
      const replaced = await api.row(id);
      expect([replaced.replacedById, replaced.abortAsked !== null]).toEqual([none.id, state === 'Signing']);
    },
  );

  test('200: what failed unsigned and left its nonce behind has that nonce used up', async () => {
    const id = await api.standing(form, 'Failed');
    const answer = await api.admin.client.change('POST', api.path(id, 'cancel'));
    expect(await api.row((answer.body as TransferBody).id)).toMatchObject({
      claimsOf: null,
      askedNonce: expect.any(Number),
      replacesId: id,
    });
  });

  test.each(['AwaitingApproval', 'Approved', 'Confirmed', 'Rejected'] as const)(
    '409: not while it is %s, and nothing changes',
    async (state) => {
      const id = await api.standing(form, state);
      const before = [await api.row(id), await api.count()];
      expect(await api.admin.client.change('POST', api.path(id, 'cancel'))).toMatchObject(refusal(409, 'WrongState'));
      expect([await api.row(id), await api.count()]).toEqual(before);
    },
  );

  test.each([`${permissions}:Read`, 'Wallets:Transactions:Create'])('403: with %s alone', async (operation) => {
    const person = await api.api.createPerson(api.orgId, { operations: [operation] });
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await person.client.change('POST', api.path(id, 'cancel'))).toMatchObject(refusal(403, 'Forbidden'));
  });

  test('404: unknown, or of another organisation', async () => {
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await api.admin.client.change('POST', api.path(newId(kind), 'cancel'))).toMatchObject(refusal(404, 'NotFound'));
    expect(await api.stranger.client.change('POST', api.path(id, 'cancel'))).toMatchObject(refusal(404, 'NotFound'));
  });
});
