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
  { id: 'speedUpTransfer', form: 'transfers', kind: 'transfer', permissions: 'Wallets:Transfers' },
  { id: 'speedUpTransaction', form: 'transactions', kind: 'transaction', permissions: 'Wallets:Transactions' },
] as const)('$id', ({ form, kind, permissions }) => {
  test('200: the same once more, not judged again, that shares the claim; a second one has to wait for its end', async () => {
    const id = await api.standing(form, 'Broadcasted');
    const asked = api.admin.client.change('POST', api.path(id, 'speed-up'));
    await api.newestSent(id);
    const answer = await asked;
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'Broadcasted', replacementId: id, requestBody: { kind: 'SpeedUpTransaction' } },
    });
    const faster = await api.row((answer.body as TransferBody).id);
    const { toAddress, amountUnits, terms, verdictId } = await api.row(id);
    expect(faster).toMatchObject({ replacesId: id, claimsOf: id, toAddress, amountUnits, terms, verdictId, form: 'Transaction' });
    const again = await api.admin.client.change('POST', api.path(id, 'speed-up'));
    expect(again).toMatchObject(refusal(409, 'WrongState', { replacementId: faster.id }));
  });

  test.each(['AwaitingApproval', 'Approved', 'Signing', 'Signed', 'Confirmed', 'Failed'] as const)(
    '409: not while it is %s, and nothing changes',
    async (state) => {
      const id = await api.standing(form, state);
      const before = [await api.row(id), await api.count()];
      expect(await api.admin.client.change('POST', api.path(id, 'speed-up'))).toMatchObject(refusal(409, 'WrongState'));
      expect([await api.row(id), await api.count()]).toEqual(before);
    },
  );

  test.each([`${permissions}:Read`, 'Wallets:Transactions:Create'])('403: with %s alone', async (operation) => {
    const person = await api.api.createPerson(api.orgId, { operations: [operation] });
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await person.client.change('POST', api.path(id, 'speed-up'))).toMatchObject(refusal(403, 'Forbidden'));
  });

  test('404: unknown, or of another organisation', async () => {
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await api.admin.client.change('POST', api.path(newId(kind), 'speed-up'))).toMatchObject(refusal(404, 'NotFound'));
    expect(await api.stranger.client.change('POST', api.path(id, 'speed-up'))).toMatchObject(refusal(404, 'NotFound'));
  });
});
