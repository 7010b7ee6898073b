import { createSignatureJudgementActivities } from '../../../activities/signatures/judge';
import { createSignatureSigningActivities } from '../../../activities/signatures/sign';
import type { Database } from '../../../entities/database';
import { signatureStore } from '../../../entities/signatures/signature.store';
import type { SignPayloadOrder } from '../../../signer/protocol';
import { createFixedPrices } from '../../../vendors/prices/fixed';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { dyingAfter } from '../../support/dying-database';
import { TEST_PRICES } from '../../support/prices';
import { type SignatureApi, startSignatureApi } from '../../support/signature-api';
import { START_LIMIT_MS } from '../../support/wallet-api';

let signatures: SignatureApi;
beforeAll(async () => {
  signatures = await startSignatureApi();
}, START_LIMIT_MS);
afterAll(() => signatures?.close());

test('a request whose activity is killed after each commit is signed once, with all evidence in the order', async () => {
  const { api, signer, orgId } = signatures;
  const { db } = api.database;
  const wallet = await signatures.createWallet();
  await signatures.addPolicy({ filters: { walletId: { in: [wallet.id] } } });
  const approver = await api.createPerson(orgId);
  const held = await signatures.request({}, `/keys/${wallet.signingKey.id}/signatures`);
  const decisions = `/v2/policy-approvals/${held.approvalId}/decisions`;
  expect((await approver.client.change('POST', decisions, { value: 'Approved' })).status).toBe(200);

  const ref = { orgId, signatureId: held.id };
  const { evaluateSignature } = createSignatureJudgementActivities({
    ...APPROVING,
    causes: ANY_CAUSE,
    db,
    prices: createFixedPrices(TEST_PRICES),
  });
  expect(await evaluateSignature(ref)).toEqual({ outcome: 'Cleared' });
  expect(await evaluateSignature(ref)).toEqual({ outcome: 'Cleared' });

  const orders: SignPayloadOrder[] = [];
  const answers: unknown[] = [];
  const recording = {
    ...signer.client,
    signPayload: async (order: SignPayloadOrder) => {
      orders.push(order);
      const answer = await signer.client.signPayload(order);
      answers.push(answer);
      return answer;
    },
  };
  const attempt = (over: Database) =>
    createSignatureSigningActivities({ ...APPROVING, causes: ANY_CAUSE, db: over, signer: recording }).signPayload(ref);
  const stateNow = async () => (await signatureStore.find(db.read(orgId), held.id))?.state;

  await expect(attempt(dyingAfter(db, 1))).rejects.toThrow('killed');
  expect([await stateNow(), orders.length]).toEqual(['Signing', 0]);
  await expect(attempt(dyingAfter(db, 2))).rejects.toThrow('killed');
  expect([await stateNow(), orders.length]).toEqual(['Signing', 0]);
  await expect(attempt(dyingAfter(db, 3))).rejects.toThrow('killed');
  expect([await stateNow(), orders.length]).toEqual(['Signed', 1]);
  expect(await attempt(db)).toBe('Signed');
  expect(orders).toHaveLength(1);

  expect(orders[0]?.evidence.map((one) => [one.kind, 'userId' in one ? one.userId : one.approvalId])).toEqual([
    ['Initiator', signatures.admin.userId],
    ['Approval', held.approvalId],
    ['Approver', approver.userId],
  ]);
  // The signer repeats an answer that was lost on the way, word for word (S5).
  expect(await signer.client.signPayload(orders[0] as SignPayloadOrder)).toEqual(answers[0]);
});
