import { parseTransaction } from 'viem/utils';
import { payloadToSign } from '../../../activities/signatures/evm/filling';
import { createSignatureFillingActivities } from '../../../activities/signatures/filling';
import { createSignatureJudgementActivities } from '../../../activities/signatures/judge';
import { createSignatureSigningActivities } from '../../../activities/signatures/sign';
import { evmCodecOf } from '../../../chains/codecs';
import { createReaders } from '../../../chains/readers';
import type { Database } from '../../../entities/database';
import { ClaimEntity } from '../../../entities/outgoing/claim.entity';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { createFixedPrices } from '../../../vendors/prices/fixed';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { dyingAfter } from '../../support/dying-database';
import { TEST_PRICES } from '../../support/prices';
import { type SignatureApi, type SignatureBody, startSignatureApi } from '../../support/signature-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

const SEPOLIA = 11_155_111;
const ALFAJORES = 44_787;
const ELSEWHERE = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const open = { chainId: SEPOLIA, to: RECIPIENT, value: '5' };
type Answer = SignatureBody & {
  readonly signedData?: `0x${string}`;
  readonly reason?: string;
  readonly details?: { readonly feeCeiling: string; readonly lapsesAt?: string };
};

let api: SignatureApi;
beforeAll(async () => {
  api = await startSignatureApi();
}, START_LIMIT_MS);
afterAll(() => api?.close());
beforeEach(() => {
  api.node.transactionCount = 0;
});

const pathOf = (keyId: string) => `/keys/${keyId}/signatures`;
const body = (transaction: object) => ({ kind: 'Transaction', transaction });
const newKey = async () => (await api.createWallet()).signingKey.id;
const sign = async (transaction: object, keyId: string): Promise<Answer> => api.request(body(transaction), pathOf(keyId));
const signed = ({ signedData }: Answer) => parseTransaction(signedData ?? '0x');
const claimsOf = async (signatureId: string) =>
  api.api.database.db.read(api.orgId).rows(ClaimEntity, 'WHERE t.signature_id = $1', [signatureId]);

function steps(db: Database = api.api.database.db) {
  const { signer, node } = api;
  return {
    ...createSignatureJudgementActivities({ ...APPROVING, causes: ANY_CAUSE, db, prices: createFixedPrices(TEST_PRICES) }),
    ...createSignatureSigningActivities({ ...APPROVING, causes: ANY_CAUSE, db, signer: signer.client }),
    ...createSignatureFillingActivities({ ...APPROVING, db, readers: createReaders({ EthereumSepolia: [node.url] }) }),
  };
}

test('an omitted nonce, gas limit and price are filled in, with the next nonce for each request', async () => {
  const keyId = await newKey();
  const first = await sign(open, keyId);
  expect(signed(first)).toMatchObject({ nonce: 0, gas: 21_000n, value: 5n, maxFeePerGas: expect.any(BigInt) });
  expect(first).toMatchObject({ status: 'Signed', details: { lapsesAt: expect.any(String) } });
  expect(BigInt(first.details?.feeCeiling ?? 0)).toBeGreaterThan(0n);
  expect(signed(await sign({ ...open, type: 0 }, keyId))).toMatchObject({ nonce: 1, gasPrice: expect.any(BigInt) });
});

test('terms that the caller specifies stay; a nonce that the caller specifies does not lapse, and is claimed', async () => {
  const keyId = await newKey();
  const given = { gasLimit: '50000', maxFeePerGas: '9000000000', maxPriorityFeePerGas: '7' };
  const answer = await sign({ ...open, ...given }, keyId);
  expect(signed(answer)).toMatchObject({ nonce: 0, gas: 50_000n, maxFeePerGas: 9_000_000_000n, maxPriorityFeePerGas: 7n });
  expect(answer.details?.feeCeiling).toBe((50_000n * 9_000_000_000n).toString());
  const named = await sign({ ...open, nonce: 1 }, keyId);
  expect(signed(named)).toMatchObject({ nonce: 1, gas: 21_000n });
  expect(named.details).not.toHaveProperty('lapsesAt');
  expect(await sign({ ...open, value: '6', nonce: 1 }, keyId)).toMatchObject({
    status: 'Failed',
    reason: expect.stringContaining('nonce 1'),
  });
});

test('a held request claims no nonce; its approval shows the fee ceiling, and the release fills in terms below that ceiling (S8)', async () => {
  const wallet = await api.createWallet();
  await api.addPolicy({ filters: { walletId: { in: [wallet.id] } } });
  const approver = await api.api.createPerson(api.orgId);
  const held = await sign(open, wallet.signingKey.id);
  expect(held).toMatchObject({ status: 'Pending', details: { feeCeiling: expect.any(String) } });
  expect(await claimsOf(held.id)).toEqual([]);
  const approval = await approver.client.get(`/v2/policy-approvals/${held.approvalId}`);
  expect(approval.body).toMatchObject({ activity: { signatureRequest: { details: { feeCeiling: held.details?.feeCeiling } } } });

  const decision = `/v2/policy-approvals/${held.approvalId}/decisions`;
  expect((await approver.client.change('POST', decision, { value: 'Approved' })).status).toBe(200);
  const ref = { orgId: api.orgId, signatureId: held.id };
  expect(await steps().evaluateSignature(ref)).toEqual({ outcome: 'Cleared' });
  expect(await steps().signPayload(ref)).toEqual({ unfilledOn: 'EthereumSepolia' });
  expect(await claimsOf(held.id)).toEqual([]);
  await expect(steps(dyingAfter(api.api.database.db, 1)).fillSignature(ref)).rejects.toThrow('killed');
  expect(await claimsOf(held.id)).toMatchObject([{ kind: 'nonce', value: 0 }]);
  expect(await steps().fillSignature(ref)).toBe('Filled');
  expect(await steps().signPayload(ref)).toEqual({ lapsesOn: 'EthereumSepolia' });
  expect(await steps().signPayload(ref)).toEqual({ lapsesOn: 'EthereumSepolia' });
  expect(await claimsOf(held.id)).toHaveLength(1);
});

test('a policy that changes before the terms are filled in sends the request back to be judged, with nothing claimed', async () => {
  const wallet = await api.createWallet();
  await api.addPolicy({ filters: { walletId: { in: [wallet.id] } } });
  const approver = await api.api.createPerson(api.orgId);
  const held = await sign(open, wallet.signingKey.id);
  const decision = `/v2/policy-approvals/${held.approvalId}/decisions`;
  expect((await approver.client.change('POST', decision, { value: 'Approved' })).status).toBe(200);
  const ref = { orgId: api.orgId, signatureId: held.id };
  expect(await steps().evaluateSignature(ref)).toEqual({ outcome: 'Cleared' });
  await api.addPolicy({ name: 'Closed', action: { kind: 'Block' }, filters: { walletId: { in: [wallet.id] } } });
  expect(await steps().fillSignature(ref)).toBe('PolicyChanged');
  expect(await claimsOf(held.id)).toEqual([]);
  expect(await steps().evaluateSignature(ref)).toEqual({ outcome: 'Ended', state: 'Rejected' });
});

test('a fee above the ceiling, and a transaction that the wallet cannot pay, fail with the reason and leave no gap', async () => {
  const keyId = await newKey();
  expect(await sign({ ...open, gasLimit: '30000000' }, keyId)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/above the ceiling/),
  });
  const rich = api.node.nativeUnits;
  api.node.nativeUnits = 1n;
  try {
    expect(await sign(open, keyId)).toMatchObject({ status: 'Failed', reason: expect.stringContaining('balance') });
  } finally {
    api.node.nativeUnits = rich;
  }
  expect(signed(await sign(open, keyId))).toMatchObject({ nonce: 0 });
});

test('rules about amounts and recipients read an open transaction before anything is filled in', async () => {
  const wallet = await api.createWallet();
  await api.addPolicy({
    filters: { walletId: { in: [wallet.id] } },
    rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [RECIPIENT] } },
    action: { kind: 'Block' },
  });
  expect(await sign(open, wallet.signingKey.id)).toMatchObject({ status: 'Signed' });
  expect(await sign({ ...open, to: wallet.address }, wallet.signingKey.id)).toMatchObject({ status: 'Rejected' });
  expect(await sign({ ...open, data: '0x12345678' }, wallet.signingKey.id)).toMatchObject({ status: 'Rejected' });
});

test('400: no node can fill in the terms, or the key has no wallet that could use up the nonce', async () => {
  const { id: bare } = await api.createKey({ scheme: 'ECDSA', curve: 'secp256k1' });
  const ask = (transaction: object) => api.ask(body(transaction), pathOf(bare));
  const before = await api.count();
  for (const [transaction, path] of [
    [{ ...open, chainId: ALFAJORES }, 'body.transaction.nonce'],
    [{ ...open, chainId: ALFAJORES, nonce: 0 }, 'body.transaction'],
  ] as const)
    expect(await ask(transaction)).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt(path)));
  expect(await ask(open)).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.transaction.nonce')));
  expect(await api.count()).toBe(before);
  expect((await ask({ ...open, nonce: 0 })).status).toBe(200);
});

test('the database refuses a change of the stored bytes, and bytes that differ from the approved terms are not signed', async () => {
  const { db } = api.api.database;
  const keyId = await newKey();
  const { id } = await sign(open, keyId);
  const set = (values: Partial<SignatureEntity>) => db.withOrg(api.orgId, (tx) => tx.update(SignatureEntity, { id }, values));
  for (const values of [{ filledHex: '0x00' }, { nonce: 7 }, { nativeUnits: '0' }])
    await expect(set(values)).rejects.toThrow('stay as they are');
  const row = await db.read(api.orgId).row(SignatureEntity, 'WHERE t.id = $1', [id]);
  if (row?.payload.kind !== 'OpenEvmTransaction') throw new Error('the payload is not open');
  expect(payloadToSign(row)).toEqual({ kind: 'EvmTransaction', bytesHex: row.filledHex });
  const { terms } = row.payload;
  const fees = { gas: 21_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const built = (to: string, nonce: number, gas = fees.gas) =>
    evmCodecOf('EthereumSepolia').buildCall({ ...terms.call, to }, nonce, { ...fees, gas }).bytesHex;
  for (const filledHex of [built(ELSEWHERE, 0), built(RECIPIENT, 1), built(RECIPIENT, 0, 10n ** 18n)])
    expect(() => payloadToSign({ ...row, filledHex })).toThrow(/differ from what was approved/);
  expect(() => payloadToSign({ ...row, filledHex: built(RECIPIENT, 0) })).not.toThrow();
});

/** Signs a request, and moves the date of its lapse into the past. */
async function overdue(keyId: string): Promise<Answer> {
  const answer = await sign(open, keyId);
  const details = { ...answer.details, lapsesAt: new Date(0).toISOString() } as Required<Answer>['details'];
  await api.api.database.db.withOrg(api.orgId, (tx) => tx.update(SignatureEntity, { id: answer.id }, { details }));
  return answer;
}
const fillersOf = (id: string) =>
  api.api.database.db.read(api.orgId).rows(OutgoingEntity, 'WHERE t.cancels_signature_id = $1', [id]);

test('a nonce that is not used in time is used up by cancellations, which the service makes one at a time and which policies judge', async () => {
  const keyId = await newKey();
  const early = await sign(open, keyId);
  const { againMs } = await steps().lapseSignature({ orgId: api.orgId, signatureId: early.id });
  expect(againMs).toBeGreaterThan(0);
  expect(await fillersOf(early.id)).toEqual([]);

  const { id } = await overdue(keyId);
  const ref = { orgId: api.orgId, signatureId: id };
  expect(await steps().lapseSignature(ref)).toEqual({ againMs: 60_000 });
  const [filler, ...more] = await fillersOf(id);
  expect(filler).toMatchObject({
    ...{ replacementKind: 'Cancel', madeByService: true, amountUnits: '0', requesterUserId: api.admin.userId },
    ...{ fromAddress: filler?.toAddress, network: 'EthereumSepolia' },
  });
  expect(more).toEqual([]);
  expect((await steps().lapseSignature(ref)).againMs).toBeGreaterThan(0);
  expect(await fillersOf(id)).toHaveLength(1);
  // The service tries again after policies have rejected its cancellation (`filler`), but not at once.
  await api.api.database.db.withOrg(api.orgId, (tx) =>
    tx.update(OutgoingEntity, { id: filler?.id ?? '' }, { state: 'Rejected' }),
  );
  expect((await steps().lapseSignature(ref)).againMs).toBeGreaterThan(0);
  expect(await fillersOf(id)).toHaveLength(1);
});

test('a nonce that the chain has used is left alone', async () => {
  const { id } = await overdue(await newKey());
  api.node.transactionCount = 1;
  expect(await steps().lapseSignature({ orgId: api.orgId, signatureId: id })).toEqual({ againMs: null });
  expect(await fillersOf(id)).toEqual([]);
});
