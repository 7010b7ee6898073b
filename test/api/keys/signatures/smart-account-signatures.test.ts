import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashTypedData, recoverAddress } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';
import { signatureEnvelopeOf } from '../../../../activities/signatures/records';
import { isWhatWasApproved } from '../../../../application/approvals/what-was-approved';
import { approvalStore } from '../../../../entities/approvals/approval.store';
import { signatureStore } from '../../../../entities/signatures/signature.store';
import { type SignatureApi, startSignatureApi } from '../../../support/signature-api';
import {
  authorization,
  batchMessage,
  CALLS,
  CHAIN_ID,
  DELEGATE,
  FRIEND,
  fields,
  type Message,
  operationMessage,
  smartAccountBody,
} from '../../../support/smart-account';
import { START_LIMIT_MS } from '../../../support/wallet-api';

let signatures: SignatureApi;
let account: string;
beforeAll(async () => {
  signatures = await startSignatureApi();
  account = signatures.wallet.address;
}, START_LIMIT_MS);
afterAll(() => signatures?.close());

const sign = async (body: object) => {
  const answer = await signatures.request({ ...body });
  return { ...answer, signatures: answer.signatures ?? [] };
};
const hashOf = ({ domain, types, message }: Message, primaryType: string) =>
  hashTypedData({ domain, types, primaryType, message } as Parameters<typeof hashTypedData>[0]);

test.each([
  ['Execute', 'a message that the account verifies', batchMessage],
  ['PackedUserOperation', 'an operation for the entry point', operationMessage],
] as const)(
  '200: %s (%s) is signed by the account’s key, and an independent library verifies the signature',
  async (primaryType, _what, made) => {
    const message = made(account, CALLS);
    const answer = await sign(smartAccountBody(account, CALLS, { message }));
    expect(answer).toMatchObject({ status: 'Signed', signature: answer.signatures[0] });
    const [first, ...more] = answer.signatures;
    expect(more).toEqual([]);
    expect(answer).not.toHaveProperty('signedData');
    const hash = hashOf(message, primaryType);
    expect(await recoverAddress({ hash, signature: (first?.encoded ?? '') as `0x${string}` })).toBe(account);
    expect(first?.encoded).toMatch(/1[bc]$/);
  },
);

test('200: the authorization is the second signature, and signedData is its entry for the authorization list of a transaction', async () => {
  const message = operationMessage(account, CALLS);
  const body = smartAccountBody(account, CALLS, { message, authorization });
  const answer = await sign({ ...body, signatures: {}, transactionReference: 'order 7', network: 'EthereumSepolia' });
  const [first, second] = answer.signatures;
  expect(
    await recoverAddress({ hash: hashOf(message, 'PackedUserOperation'), signature: (first?.encoded ?? '') as `0x${string}` }),
  ).toBe(account);
  const { r = '0x', s = '0x', recid: yParity = 0 } = second ?? {};
  expect(
    await recoverAuthorizationAddress({
      authorization: { address: DELEGATE, nonce: 4, chainId: CHAIN_ID },
      signature: { r, s, yParity },
    }),
  ).toBe(account);
  expect(second?.encoded).toMatch(/0[01]$/);
  expect(answer.signedData).toMatch(new RegExp(`94${DELEGATE.slice(2).toLowerCase()}04`));
  expect(answer).toMatchObject({ requestBody: { transactionReference: 'order 7' } });
});

test.each<[string, (made: Message) => Message]>([
  [
    'with target, callData and a deadline',
    (made) => ({
      ...made,
      types: {
        ExecuteBatch: fields('Call[] calls,uint256 nonce,uint256 deadline'),
        Call: fields('address target,uint256 value,bytes callData'),
      },
      message: {
        calls: CALLS.map(({ to, value = '0', data = '0x' }) => ({ target: to, value, callData: data })),
        nonce: 1,
        deadline: '9999999999',
      },
    }),
  ],
  [
    'with a mode, a salt and values in hexadecimal',
    (made) => ({
      ...made,
      types: {
        Execute: fields('bytes32 mode,Call[] calls,uint256 nonce,bytes32 salt'),
        Call: fields('address to,uint256 value,bytes data'),
      },
      message: {
        mode: `0x01000000000078210001${'00'.repeat(22)}`,
        calls: [
          { to: FRIEND.toLowerCase(), value: '0x5', data: '0x' },
          { to: FRIEND, value: 0, data: '0x12345678' },
        ],
        nonce: '0',
        salt: `0x${'ab'.repeat(32)}`,
      },
    }),
  ],
  [
    'with a member that excludes several chains',
    (made) => ({
      ...made,
      types: { ...made.types, Execute: fields('bool multichain,Call[] calls,uint256 nonce') },
      message: { ...made.message, multichain: false },
    }),
  ],
])('200: a batch %s', async (_what, change) => {
  const message = change(batchMessage(account, CALLS));
  expect(await sign(smartAccountBody(account, CALLS, { message }))).toMatchObject({ status: 'Signed' });
});

test('200: an approver sees each call, and the approval is valid for no other calls', async () => {
  const { id: walletId, address, signingKey } = await signatures.createWallet();
  await signatures.addPolicy({ name: 'Ask', filters: { walletId: { in: [walletId] } } });
  const body = smartAccountBody(address, CALLS, { authorization });
  const held = await signatures.request({ ...body, externalId: 'held' }, `/keys/${signingKey.id}/signatures`);
  expect(held).toMatchObject({ status: 'Pending' });
  const approvalId = held.approvalId ?? '';
  const shown = await signatures.admin.client.get(`/v2/policy-approvals/${approvalId}/evidence`);
  const calls = [
    { to: FRIEND, valueUnits: '5', dataHex: '0x' },
    { to: FRIEND, valueUnits: '0', dataHex: '0x12345678' },
  ];
  const { kind: _kind, ...authorized } = authorization;
  expect(shown.body).toMatchObject({
    committed: { envelope: { payload: { address, calls, network: 'EthereumSepolia', authorization: authorized } } },
  });
  const reader = signatures.api.database.db.read(signatures.orgId);
  const [approval, row] = await Promise.all([approvalStore.find(reader, approvalId), signatureStore.find(reader, held.id)]);
  if (!approval || row?.payload.kind !== 'SvcSmartAccountTransaction') throw new Error('the request or its approval is missing');
  const { payload } = row;
  const isGoodFor = (changes: Partial<typeof payload>) =>
    isWhatWasApproved(approval, {
      activityId: held.id,
      envelope: signatureEnvelopeOf({ ...row, payload: { ...payload, ...changes } }),
    });
  expect(isGoodFor({})).toBe(true);
  const [first] = calls;
  expect(isGoodFor({ calls: calls.map((call) => (call.to === first?.to ? { ...call, valueUnits: '6' } : call)) })).toBe(false);
  expect(isGoodFor({ typedData: payload.typedData.replace('"nonce":"7"', '"nonce":"8"') })).toBe(false);
  expect(isGoodFor({ authorization: null })).toBe(false);
  expect(isGoodFor({ authorization: { ...authorized, address: FRIEND } })).toBe(false);
});

test('200: calls that were written directly into the row in the database are not signed', async () => {
  const { id: walletId, address, signingKey } = await signatures.createWallet();
  await signatures.addPolicy({ name: 'Ask', filters: { walletId: { in: [walletId] } } });
  const held = await signatures.request(smartAccountBody(address, CALLS), `/keys/${signingKey.id}/signatures`);
  const { db } = signatures.api.database;
  const stolen = batchMessage(address, [{ to: address, value: '5' }]);
  const text = JSON.stringify({ types: stolen.types, primaryType: 'Execute', domain: stolen.domain, message: stolen.message });
  const { arrange } = signatures.api.database;
  await arrange(`UPDATE signatures SET payload = payload || jsonb_build_object('typedData', $2::text) WHERE id = $1`, [
    held.id,
    text,
  ]);
  const row = await signatureStore.find(db.read(signatures.orgId), held.id);
  if (!row) throw new Error('the request is missing');
  expect(await signatures.causes.ofSignature(db.read(signatures.orgId), row)).toContain('payload');
});

test('200: the document and the interface contain the same example, and it is signed without changes', async () => {
  const root = join(__dirname, '..', '..', '..', '..');
  const page = readFileSync(join(root, 'docs', 'signatures.md'), 'utf8');
  const { components } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  const [example] = components.schemas.SignSvcSmartAccountTransaction.examples;
  expect(JSON.parse(/```json\n(\{[^`]+)```/.exec(page)?.[1] ?? '')).toEqual(example);
  const { address } = example.structured;
  expect(await sign(JSON.parse(JSON.stringify(example).replaceAll(address, account)))).toMatchObject({ status: 'Signed' });
});
