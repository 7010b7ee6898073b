import type { TransferState } from '../../../domain/transfers';
import { newId } from '../../../platform/ids';
import { type ReplacementApi, startReplacementApi, type Verb } from '../../support/replacement-api';
import type { TransferBody } from '../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let api: ReplacementApi;
beforeAll(async () => {
  api = await startReplacementApi();
}, START_LIMIT_MS);
afterAll(() => api?.close());

const change = (verb: Verb, id: string, by = api.admin) =>
  by.client.change(verb === 'abort' ? 'PUT' : 'POST', api.path(id, verb));

describe.each([
  { id: 'abortTransfer', form: 'transfers' },
  { id: 'abortTransaction', form: 'transactions' },
] as const)('$id', ({ form }) => {
  test('200: an approved request without signed bytes fails at once, and its claims on nonces or coins are released', async () => {
    const id = await api.standing(form, 'Approved');
    expect(await change('abort', id)).toMatchObject({
      status: 200,
      body: { id, status: 'Failed', reason: 'Aborted on request before anything was signed' },
    });
  });
});

describe.each([
  { id: 'cancelTransfer', form: 'transfers' },
  { id: 'cancelTransaction', form: 'transactions' },
] as const)('$id', ({ form }) => {
  test.each(['Broadcasted', 'Signed', 'Signing'] as const)(
    '200: in state %s, the policies apply to a transfer of nothing to its own sender, which shares the claim of the request',
    async (state) => {
      const id = await api.standing(form, state);
      const answer = await change('cancel', id);
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

  test('200: a cancellation uses the nonce of a request that failed before it was signed', async () => {
    const id = await api.standing(form, 'Failed');
    const answer = await change('cancel', id);
    expect(await api.row((answer.body as TransferBody).id)).toMatchObject({
      claimsOf: null,
      askedNonce: expect.any(Number),
      replacesId: id,
    });
  });
});

describe.each([
  { id: 'speedUpTransfer', form: 'transfers' },
  { id: 'speedUpTransaction', form: 'transactions' },
] as const)('$id', ({ form }) => {
  test('200: a speed-up shares the claim and the policy verdict of its transaction; while it is open, a second speed-up is refused', async () => {
    const id = await api.standing(form, 'Broadcasted');
    const asked = change('speed-up', id);
    await api.newestSent(id);
    const answer = await asked;
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'Broadcasted', replacementId: id, requestBody: { kind: 'SpeedUpTransaction' } },
    });
    const faster = await api.row((answer.body as TransferBody).id);
    const { toAddress, amountUnits, terms, verdictId } = await api.row(id);
    expect(faster).toMatchObject({ replacesId: id, claimsOf: id, toAddress, amountUnits, terms, verdictId, form: 'Transaction' });
    expect(await change('speed-up', id)).toMatchObject(refusal(409, 'WrongState', { replacementId: faster.id }));
  });
});

/** For each verb, the states in which the request is refused, and the permissions that do not suffice alone. */
const OF_VERB: Readonly<Record<Verb, { readonly states: readonly TransferState[]; readonly rights: readonly string[] }>> = {
  abort: { states: ['AwaitingApproval', 'Signed', 'Broadcasted', 'Confirmed', 'Failed'], rights: [] },
  cancel: { states: ['AwaitingApproval', 'Approved', 'Confirmed', 'Rejected'], rights: ['Wallets:Transactions:Create'] },
  'speed-up': {
    states: ['AwaitingApproval', 'Approved', 'Signing', 'Signed', 'Confirmed', 'Failed'],
    rights: ['Wallets:Transactions:Create'],
  },
};

describe.each([
  { id: 'abortTransfer', verb: 'abort', form: 'transfers', kind: 'transfer' },
  { id: 'abortTransaction', verb: 'abort', form: 'transactions', kind: 'transaction' },
  { id: 'cancelTransfer', verb: 'cancel', form: 'transfers', kind: 'transfer' },
  { id: 'cancelTransaction', verb: 'cancel', form: 'transactions', kind: 'transaction' },
  { id: 'speedUpTransfer', verb: 'speed-up', form: 'transfers', kind: 'transfer' },
  { id: 'speedUpTransaction', verb: 'speed-up', form: 'transactions', kind: 'transaction' },
] as const)('$id', ({ verb, form, kind }) => {
  const { states, rights } = OF_VERB[verb];
  const reading = form === 'transfers' ? 'Wallets:Transfers:Read' : 'Wallets:Transactions:Read';

  test.each(states)('409: a request in state %s, and nothing changes', async (state) => {
    const id = await api.standing(form, state);
    const before = [await api.row(id), await api.count()];
    expect(await change(verb, id)).toMatchObject(refusal(409, 'WrongState'));
    expect([await api.row(id), await api.count()]).toEqual(before);
  });

  test.each([reading, ...rights])('403: with only %s', async (operation) => {
    const person = await api.api.createPerson(api.orgId, { operations: [operation] });
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await change(verb, id, person)).toMatchObject(refusal(403, 'Forbidden'));
  });

  test('404: a request that is unknown or belongs to another organisation', async () => {
    const id = await api.standing(form, 'AwaitingApproval');
    expect(await change(verb, newId(kind))).toMatchObject(refusal(404, 'NotFound'));
    expect(await change(verb, id, api.stranger)).toMatchObject(refusal(404, 'NotFound'));
  });
});
