import { newId } from '../../../platform/ids';
import { type ReplacementApi, startReplacementApi } from '../../support/replacement-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let api: ReplacementApi;
beforeAll(async () => {
  api = await startReplacementApi();
}, START_LIMIT_MS);
afterAll(() => api?.close());

describe.each([
  { id: 'abortTransfer', form: 'transfers', kind: 'transfer', permissions: 'Wallets:Transfers' },
  { id: 'abortTransaction', form: 'transactions', kind: 'transaction', permissions: 'Wallets:Transactions' },
] as const)('$id', ({ form, kind, permissions }) => {
  test('200: what is approved and has no bytes yet fails at once, and its claims are nobody’s', async () => {
    const id = await api.standing(form, 'Approved');
    expect(await api.admin.client.change('PUT', api.path(id, 'abort'))).toMatchObject({
      status: 200,
      body: { id, status: 'Failed', reason: 'Aborted on request before anything was signed' },
    });
  });

  test.each(['AwaitingApproval', 'Signed', 'Broadcasted', 'Confirmed', 'Failed'] as const)(
    '409: not while it is %s, and nothing changes',
    async (state) => {
      const id = await api.standing(form, state);
      const before = [await api.row(id), await api.count()];
      expect(await api.admin.client.change('PUT', api.path(id, 'abort'))).toMatchObject(refusal(409, 'WrongState'));
      expect([await api.row(id), await api.count()]).toEqual(before);
    },
  );

  test(`403: without ${permissions}:Abort`, async () => {
    const person = await api.api.createPerson(api.orgId, { operations: [`${permissions}:Read`] });
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await person.client.change('PUT', api.path(id, 'abort'))).toMatchObject(refusal(403, 'Forbidden'));
  });

  test('404: unknown, or of another organisation', async () => {
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await api.admin.client.change('PUT', api.path(newId(kind), 'abort'))).toMatchObject(refusal(404, 'NotFound'));
    expect(await api.stranger.client.change('PUT', api.path(id, 'abort'))).toMatchObject(refusal(404, 'NotFound'));
  });
});
