import { createSignatureJudgementActivities } from '../../../activities/signatures/judge';
import { createSignatureSigningActivities } from '../../../activities/signatures/sign';
import { evmCodecOf } from '../../../chains/codecs';
import { AppError } from '../../../domain/errors';
import { ApprovalEntity } from '../../../entities/approvals/approval.entity';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { signatureStore } from '../../../entities/signatures/signature.store';
import type { SignPayloadOrder } from '../../../signer/protocol';
import { createFixedPrices } from '../../../vendors/prices/fixed';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { askFor, BLOCK, NEVER, RECIPIENT } from '../../support/policies';
import { TEST_PRICES } from '../../support/prices';
import { type SignatureApi, startSignatureApi } from '../../support/signature-api';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { START_LIMIT_MS } from '../../support/wallet-api';

const ASK = askFor([{ quorum: 1, approvers: {} }]);
const away = () => Promise.reject(new AppError('SignerUnavailable', 'no answer'));

describe('a request that is built and not signed', () => {
  let database: TestDatabase;
  let steps: TransferSteps;
  let sign: TransferSteps['sign'];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    steps = await createTransferSteps(database.db, await database.createOrganization());
    ({ sign } = steps);
  });

  const policy = (content: Parameters<typeof insertPolicy>[2]) => insertPolicy(database.db, steps.orgId, content);
  const rivalOf = (kind: 'SpeedUp' | 'Cancel') => async (): Promise<string> => {
    const id = await steps.transfer({ state: 'Requested', policyEpoch: null });
    await steps.evaluate(id);
    await steps.send(id);
    const own = { form: 'Transaction', state: 'Requested', policyEpoch: null } as const;
    const nothing = kind === 'Cancel' ? { toAddress: steps.address, amountUnits: '0' } : {};
    return steps.transfer({ ...own, ...nothing, replacementKind: kind, replacesId: id, claimsOf: id });
  };
  const transaction = () => {
    const terms = evmCodecOf('EthereumSepolia').termsOf({ to: RECIPIENT, data: '0xc0ffee' }, steps.address, 'body');
    const own: Partial<OutgoingEntity> = { form: 'Transaction', terms, assetKind: 'Call', amountUnits: '0', askedNonce: null };
    return steps.transfer({ ...own, state: 'Requested', policyEpoch: null });
  };
  const KINDS: Readonly<Record<string, () => Promise<string>>> = {
    Transfer: () => steps.transfer({ state: 'Requested', policyEpoch: null }),
    Transaction: transaction,
    SpeedUp: rivalOf('SpeedUp'),
    Cancel: rivalOf('Cancel'),
  };

  /** Judges and builds a request. The signer then does not answer. */
  const waitingForSigner = async (make: () => Promise<string>): Promise<string> => {
    const id = await make();
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    expect(await steps.prepare(id)).toBe('Ready');
    steps.sign = away;
    await expect(steps.signTransfer(id)).rejects.toMatchObject({ code: 'SignerUnavailable' });
    steps.sign = sign;
    return id;
  };

  test.each(Object.keys(KINDS))('a Block that came while the signer was away stops a %s', async (kind) => {
    const id = await waitingForSigner(KINDS[kind] as () => Promise<string>);
    const claims = await steps.claims();
    const policyId = await policy({ action: BLOCK, name: 'No way' });
    const given = steps.orders.length;
    expect(await steps.signTransfer(id)).toBe('PolicyChanged');
    expect(await steps.claims()).toEqual(claims);
    // The judgement clears the transfer for the signing step. Only the signer knows whether the transfer may still end.
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    expect(await steps.row(id)).toMatchObject({ state: 'Signing' });
    expect(await steps.signTransfer(id)).toBe('Rejected');
    expect(await steps.row(id)).toMatchObject({ state: 'Rejected', reason: `Blocked by policy No way (${policyId})` });
    expect(await steps.payload(id)).toMatchObject({ state: 'Built', rawHex: null });
    expect(steps.orders).toHaveLength(given);
    expect(await steps.signTransfer(id)).toBe('Rejected');
    // A rejected speed-up or cancellation leaves the nonce claimed for the first transaction, which was already sent.
    expect(await steps.claims()).toEqual(kind === 'SpeedUp' || kind === 'Cancel' ? ['0 Signing'] : []);
  });

  test('a policy that now asks for approval ends the transfer with a reason, and no person is asked', async () => {
    const id = await waitingForSigner(KINDS['Transfer'] as () => Promise<string>);
    await policy({ action: ASK, name: 'Two of us' });
    expect(await steps.signTransfer(id)).toBe('PolicyChanged');
    await steps.evaluate(id);
    expect(await steps.signTransfer(id)).toBe('Rejected');
    expect(await steps.row(id)).toMatchObject({ state: 'Rejected', reason: expect.stringContaining('asked for approval') });
    expect(await database.db.read(steps.orgId).rows(ApprovalEntity, '')).toEqual([]);
  });

  test('after a policy change that does not stop the transfer, the same bytes are signed with the same nonce', async () => {
    const id = await waitingForSigner(KINDS['Transfer'] as () => Promise<string>);
    const [before, claims] = [await steps.payload(id), await steps.claims()];
    await policy({ rule: NEVER, action: BLOCK });
    expect(await steps.signTransfer(id)).toBe('PolicyChanged');
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    expect(await steps.signTransfer(id)).toBe('Signed');
    expect(await steps.payload(id)).toMatchObject({ id: before.id, unsignedHex: before.unsignedHex });
    expect(await steps.claims()).toEqual(claims);
    expect(steps.orders.at(-1)).toMatchObject({ policyEpoch: 2 });
  });

  test('a transfer that the signer has already signed continues, whatever the current policies say', async () => {
    const id = await waitingForSigner(KINDS['Transfer'] as () => Promise<string>);
    await policy({ action: BLOCK });
    await steps.signTransfer(id);
    await steps.evaluate(id);
    steps.withdraw = async () => ({ withdrawn: false });
    expect(await steps.signTransfer(id)).toBe('Signed');
    expect(await steps.row(id)).toMatchObject({ state: 'Signed', reason: null });
    await steps.broadcast(id);
    const faster = { replacementKind: 'SpeedUp', replacesId: id, claimsOf: id } as const;
    const speedUp = await steps.transfer({ form: 'Transaction', state: 'Requested', policyEpoch: null, ...faster });
    expect(await steps.evaluate(speedUp)).toEqual({ outcome: 'Ended', state: 'Rejected' });
  });

  test('a Block stops a speed-up before its bytes are built; under unchanged policies a speed-up shares the verdict of its payment', async () => {
    const [before, behind] = [await rivalOf('SpeedUp')(), await rivalOf('SpeedUp')()];
    expect(await steps.evaluate(before)).toEqual({ outcome: 'Cleared' });
    const first = await steps.row((await steps.row(before)).replacesId ?? '');
    expect((await steps.row(before)).verdictId).toBe(first.verdictId);
    await policy({ action: BLOCK });
    expect(await steps.prepare(before)).toBe('PolicyChanged');
    for (const id of [before, behind]) expect(await steps.evaluate(id)).toEqual({ outcome: 'Ended', state: 'Rejected' });
  });

  test('a payment that is sped up is counted once, even when it is judged again', async () => {
    const id = await rivalOf('SpeedUp')();
    const once = { kind: 'TransactionCountVelocity', configuration: { limit: 1, timeframe: 60 } } as const;
    await policy({ rule: once, action: BLOCK });
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    expect(await steps.evaluate((await KINDS['Transfer']?.()) as string)).toEqual({ outcome: 'Ended', state: 'Rejected' });
  });
});

describe('a signature request', () => {
  let signatures: SignatureApi;
  beforeAll(async () => {
    signatures = await startSignatureApi();
  }, START_LIMIT_MS);
  afterAll(() => signatures?.close());

  test('that a policy blocks while the signer is away is never signed, not even when the earlier order arrives late', async () => {
    const { api, orgId, signer } = signatures;
    const { db } = api.database;
    await signatures.addPolicy({});
    const approver = await api.createPerson(orgId);
    const { id: signatureId, approvalId } = await signatures.request();
    const path = `/v2/policy-approvals/${approvalId}/decisions`;
    expect(await approver.client.change('POST', path, { value: 'Approved' })).toMatchObject({ status: 200 });
    const lost: SignPayloadOrder[] = [];
    const away = {
      ...signer.client,
      signPayload: (order: SignPayloadOrder) => {
        lost.push(order);
        return Promise.reject(new AppError('SignerUnavailable', 'no answer'));
      },
    };
    const ref = { orgId, signatureId };
    const { evaluateSignature } = createSignatureJudgementActivities({
      causes: ANY_CAUSE,
      ...APPROVING,
      db,
      prices: createFixedPrices(TEST_PRICES),
    });
    const stopped = createSignatureSigningActivities({ ...APPROVING, causes: ANY_CAUSE, db, signer: away });
    const { signPayload } = createSignatureSigningActivities({ ...APPROVING, causes: ANY_CAUSE, db, signer: signer.client });

    expect(await evaluateSignature(ref)).toEqual({ outcome: 'Cleared' });
    await expect(stopped.signPayload(ref)).rejects.toMatchObject({ code: 'SignerUnavailable' });
    await signatures.addPolicy({ action: BLOCK, name: 'No way' });
    expect(await signPayload(ref)).toBe('PolicyChanged');
    expect(await evaluateSignature(ref)).toEqual({ outcome: 'Cleared' });
    expect(await signPayload(ref)).toBe('Rejected');
    const row = await signatureStore.find(db.read(orgId), signatureId);
    expect(row).toMatchObject({ state: 'Rejected', reason: expect.stringContaining('No way'), signatures: null });
    await expect(signer.client.signPayload(lost[0] as SignPayloadOrder)).rejects.toThrow('RequestWithdrawn');
  });
});
