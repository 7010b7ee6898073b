import { createHoldActivities } from '../../../activities/outgoing/holds';
import { createSignatureJudgementActivities } from '../../../activities/signatures/judge';
import { ClaimEntity } from '../../../entities/outgoing/claim.entity';
import { laneStore, nonceClaim } from '../../../entities/outgoing/lane.store';
import { createSecretBox } from '../../../platform/secret-box';
import { createFixedPrices } from '../../../vendors/prices/fixed';
import type { Person } from '../../support/api';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { TEST_PRICES } from '../../support/prices';
import { type SignatureApi, startSignatureApi } from '../../support/signature-api';
import { START_LIMIT_MS, type WalletBody } from '../../support/wallet-api';

let signatures: SignatureApi;
let wallet: WalletBody;
let approver: Person;
beforeAll(async () => {
  signatures = await startSignatureApi();
  approver = await signatures.api.createPerson(signatures.orgId);
}, START_LIMIT_MS);
afterAll(() => signatures?.close());
beforeEach(async () => {
  wallet = await signatures.createWallet();
});

const ask = () => {
  const fees = { gasLimit: '21000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1000000000' };
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const transaction = { type: 2, chainId: 11_155_111, nonce: 7, to, value: '1', ...fees };
  return signatures.request({ kind: 'Transaction', transaction }, `/keys/${wallet.signingKey.id}/signatures`);
};
const db = () => signatures.api.database.db;
const claims = () => db().read(signatures.orgId).rows(ClaimEntity, 'WHERE t.lane = $1', [wallet.address]);
const holds = () => createHoldActivities({ db: db(), mailContents: createSecretBox(Buffer.alloc(32), 'mails') });
const evaluateSignature = (signatureId: string) =>
  createSignatureJudgementActivities({
    ...APPROVING,
    causes: ANY_CAUSE,
    db: db(),
    prices: createFixedPrices(TEST_PRICES),
  }).evaluateSignature({
    orgId: signatures.orgId,
    signatureId,
  });
const policy = async (action: object) => {
  const answer = await signatures.admin.client.change('POST', '/v2/policies', {
    ...{ name: 'Policy', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger', configuration: {} }, action },
    filters: { walletId: { in: [wallet.id] } },
  });
  return (answer.body as { readonly id: string }).id;
};
const HOLD = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] };
type Held = { readonly id: string; readonly approvalId?: string };

const ENDINGS: Readonly<Record<string, (held: Held) => Promise<unknown>>> = {
  'denied by an approver': async ({ id, approvalId = '' }) => {
    await approver.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Denied' });
    return holds().readHold({ orgId: signatures.orgId, signatureId: id }, approvalId);
  },
  'left until its approval expired': ({ id, approvalId = '' }) =>
    holds().expireHold({ orgId: signatures.orgId, signatureId: id }, approvalId),
  'approved, and blocked by a policy that came meanwhile': async ({ id, approvalId = '' }) => {
    await policy({ kind: 'Block' });
    await approver.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' });
    return evaluateSignature(id);
  },
};

test.each(Object.keys(ENDINGS))('a signature request that was %s frees its nonce for the next request', async (name) => {
  const policyId = await policy(HOLD);
  const held = await ask();
  expect(held).toMatchObject({ status: 'Pending', approvalId: expect.any(String) });
  expect(await claims()).toEqual([]);
  // The request may have claimed its nonce by then, so the test claims the nonce for the request.
  const claim = nonceClaim(wallet.address, 7);
  await db().withOrg(signatures.orgId, (tx) => laneStore.claimForSignature(tx, 'EthereumSepolia', held.id, [claim]));
  await ENDINGS[name]?.(held);
  expect((await signatures.admin.client.get(`/keys/${wallet.signingKey.id}/signatures/${held.id}`)).body).toMatchObject({
    status: 'Rejected',
  });
  expect(await claims()).toEqual([]);

  const policies = (await signatures.admin.client.get('/v2/policies')).body as { items: { id: string; status: string }[] };
  expect(policies.items.map(({ id }) => id)).toContain(policyId);
  for (const { id, status } of policies.items)
    if (status === 'Active') await signatures.admin.client.change('DELETE', `/v2/policies/${id}`, {});
  const next = await ask();
  expect(next).toMatchObject({ status: 'Signed' });
  expect(await claims()).toMatchObject([{ signatureId: next.id, value: 7 }]);
});

test('a signature request that is blocked at once claims no nonce', async () => {
  const policyId = await policy({ kind: 'Block' });
  expect(await ask()).toMatchObject({ status: 'Rejected' });
  expect(await claims()).toEqual([]);
  await signatures.admin.client.change('DELETE', `/v2/policies/${policyId}`, {});
  expect(await ask()).toMatchObject({ status: 'Signed' });
});
