import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem/utils';
import { DELEGATE, ENTRY_POINT } from '../../../../chains/evm/user-operations';
import { newId } from '../../../../platform/ids';
import { RECIPIENT, startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let transfers: TransferApi;
beforeAll(async () => {
  transfers = await startTransferApi();
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CHAIN_ID = 11_155_111;
const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const to = RECIPIENT as `0x${string}`;
const json = (transaction: Readonly<Record<string, unknown>>) => ({
  kind: 'Transaction',
  transaction: { to, value: '7', ...transaction },
});
const hex = (transaction: string) => ({ kind: 'Transaction', transaction });
const plain = { chainId: CHAIN_ID, to, value: 7n, nonce: 0, gas: 21_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n } as const;
const unsigned = serializeTransaction({ type: 'eip1559', ...plain });
const transferData = encodeFunctionData({
  abi: parseAbi(['function transfer(address,uint256)']),
  functionName: 'transfer',
  args: [to, 5_000_000n],
});
/** The activity as the approval shows it. */
const activityOf = async ({ approvalId }: TransferBody) =>
  ((await transfers.admin.client.get(`/v2/policy-approvals/${approvalId}`)).body as { activity: unknown }).activity;

test('200: a held transaction is returned as Pending, with its approval and every member of the published interface', async () => {
  const body = { kind: 'Eip1559', to, value: '0x2a', data: '0x1234', gasLimit: '60000', maxFeePerGas: '0x77359400' };
  const answer = await transfers.broadcast(body);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      id: expect.stringMatching(/^tx-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      walletId: transfers.wallet.id,
      network: 'EthereumSepolia',
      requester: { userId: transfers.admin.userId, tokenId: transfers.admin.tokenId },
      requestBody: body,
      status: 'Pending',
      approvalId: expect.stringMatching(/^ap-/),
      dateRequested: expect.stringMatching(ISO),
    },
  });
  expect(Object.values(answer.body)).not.toContain(null);
  expect(answer.body).not.toHaveProperty('metadata');
  expect(await activityOf(answer.body as TransferBody)).toMatchObject({
    kind: 'Wallets:Sign',
    transactionRequest: { id: (answer.body as TransferBody).id, status: 'Pending' },
  });
});

test.each<[string, () => Readonly<Record<string, unknown>>]>([
  ['Evm', () => ({ kind: 'Evm', to, value: '1' })],
  ['Eip1559 with a recipient and nothing else', () => ({ kind: 'Eip1559', to })],
  ['JSON of the default type', () => json({})],
  ['JSON of type 0', () => json({ type: 0, gasPrice: '0x77359400' })],
  ['JSON of type 1', () => json({ type: '0x1', accessList: [{ address: CONTRACT, storageKeys: [`0x${'01'.repeat(32)}`] }] })],
  [
    'JSON of type 2 that contains its chain and sender',
    () => json({ type: 2, chainId: CHAIN_ID, from: transfers.wallet.address }),
  ],
  ['hex', () => hex(unsigned)],
  ['hex without 0x', () => hex(unsigned.slice(2))],
])('200: %s', async (_what, body) => {
  const wallet = await transfers.createWallet();
  const answer = await transfers.broadcast(
    JSON.parse(JSON.stringify(body()).replace(transfers.wallet.address, wallet.address)) as Readonly<Record<string, unknown>>,
    wallet.id,
  );
  expect(answer).toMatchObject({ status: 200, body: { status: 'Pending' } });
});

test('200: JSON of type 4 with an authorization from another account', async () => {
  const account = privateKeyToAccount(`0x${'01'.repeat(32)}`);
  const { r, s, yParity, nonce, chainId } = await account.signAuthorization({
    contractAddress: CONTRACT,
    chainId: CHAIN_ID,
    nonce: 3,
  });
  const authorizationList = [{ chainId, address: CONTRACT, nonce, yParity, r, s }];
  expect(await transfers.broadcast(json({ type: 4, authorizationList }))).toMatchObject({
    status: 200,
    body: { status: 'Pending' },
  });
  const mistyped = [{ ...authorizationList[0], s: `0x${'ff'.repeat(32)}` }];
  expect(await transfers.broadcast(json({ type: 4, authorizationList: mistyped }))).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.transaction.authorizationList.0')),
  );
});

test('200: rules evaluate the effect of the bytes: unknown call data triggers them, and a token transfer is recognised', async () => {
  const { client } = transfers.admin;
  const wallet = await transfers.createWallet();
  const rule = (kind: string, configuration: object) =>
    client.change('POST', '/v2/policies', {
      name: `${kind} of ${wallet.id}`,
      activityKind: 'Wallets:Sign',
      rule: { kind, configuration },
      action: { kind: 'Block' },
      filters: { walletId: { in: [wallet.id] } },
    });
  expect((await rule('TransactionRecipientWhitelist', { addresses: [to] })).status).toBe(200);
  const ask = async (body: Readonly<Record<string, unknown>>) =>
    ((await transfers.broadcast(body, wallet.id)).body as TransferBody).status;
  transfers.node.tokens.set(CONTRACT.toLowerCase(), { decimals: 6, symbol: 'TST', balanceUnits: 2n ** 200n });
  expect(await ask({ kind: 'Evm', to, value: '1' })).toBe('Pending');
  expect(await ask({ kind: 'Evm', to: CONTRACT, data: transferData })).toBe('Pending');
  expect(await ask({ kind: 'Evm', to: CONTRACT, value: '1' })).toBe('Rejected');
  expect(await ask({ kind: 'Evm', to, data: '0x12345678' })).toBe('Rejected');
  expect(await ask({ kind: 'Evm', to: CONTRACT, data: transferData, value: '1' })).toBe('Rejected');
  expect(await ask({ kind: 'Evm', to: CONTRACT, data: `${transferData}00` })).toBe('Rejected');
  transfers.node.tokens.clear();

  const limited = await transfers.createWallet();
  const limit = await client.change('POST', '/v2/policies', {
    name: 'At most a dollar',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'TransactionAmountLimit', configuration: { limit: 1, currency: 'USD' } },
    action: { kind: 'Block' },
    filters: { walletId: { in: [limited.id] } },
  });
  expect(limit.status).toBe(200);
  const asked = async (body: Readonly<Record<string, unknown>>) =>
    ((await transfers.broadcast(body, limited.id)).body as TransferBody).status;
  expect(await asked({ kind: 'Evm', to, value: '1' })).toBe('Pending');
  expect(await asked({ kind: 'Evm', to, value: '1000000000000000000' })).toBe('Rejected');
  expect(await asked({ kind: 'Evm', to, value: '1', data: '0x00' })).toBe('Rejected');
});

test('400: the wallet cannot pay the value or the fee', async () => {
  const { node } = transfers;
  const { nativeUnits } = node;
  node.nativeUnits = 10n ** 15n;
  const before = await transfers.count();
  const value = await transfers.broadcast({ kind: 'Evm', to, value: '1000000000000001' });
  const gas = { gasLimit: '200000', maxFeePerGas: '5000000001', maxPriorityFeePerGas: '1' };
  const fee = await transfers.broadcast({ kind: 'Eip1559', to, value: '0', ...gas });
  Object.assign(node, { nativeUnits });
  for (const answer of [value, fee]) expect(answer).toMatchObject(refusal(400, 'TransferWouldFail', faultAt('body.value')));
  expect(await transfers.count()).toBe(before);
});

const uint = (name: string) => ({ name, type: 'uint256' });
const functionCall = (call: object, abi: object = {}) => ({
  kind: 'FunctionCall',
  call: {
    contract: CONTRACT,
    abi: {
      type: 'function',
      name: 'transfer',
      stateMutability: 'nonpayable',
      inputs: [{ name: 'to', type: 'address', internalType: 'address' }, uint('amount')],
      outputs: [],
      ...abi,
    },
    calldata: { to, amount: '5000000' },
    ...call,
  },
});

test('200: rules evaluate the effect of a function call: a token transfer is a transfer, any other function is a call', async () => {
  const { client } = transfers.admin;
  const wallet = await transfers.createWallet();
  const rule = await client.change('POST', '/v2/policies', {
    name: `Recipients of ${wallet.id}`,
    activityKind: 'Wallets:Sign',
    rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [to] } },
    action: { kind: 'Block' },
    filters: { walletId: { in: [wallet.id] } },
  });
  expect(rule.status).toBe(200);
  transfers.node.tokens.set(CONTRACT.toLowerCase(), { decimals: 6, symbol: 'TST', balanceUnits: 2n ** 200n });
  const body = functionCall({});
  const paid = await transfers.broadcast(body, wallet.id);
  const approved = await transfers.broadcast(functionCall({}, { name: 'approve' }), wallet.id);
  transfers.node.tokens.clear();
  expect(paid).toMatchObject({ status: 200, body: { status: 'Pending', requestBody: body } });
  expect(approved).toMatchObject({ status: 200, body: { status: 'Rejected' } });
});

test('200: a repeated externalId returns the first transaction, even for a claimed nonce; a transfer may use the same externalId', async () => {
  const wallet = await transfers.createWallet();
  const body = { kind: 'Evm', to, value: '1', nonce: 0, externalId: 'rent-1' };
  const first = (await transfers.broadcast(body, wallet.id)).body as TransferBody;
  const again = await transfers.broadcast(body, wallet.id);
  expect(again).toMatchObject({ status: 200, body: { id: first.id } });
  expect(await transfers.ask({ externalId: 'rent-1' }, wallet.id)).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^xfr-/) },
  });
});

test('409: a different request or wallet with the same externalId', async () => {
  const body = { kind: 'Evm', to, value: '1', externalId: 'rent-2' };
  const { id } = (await transfers.broadcast(body)).body as TransferBody;
  const duplicate = { duplicate: { id, externalId: 'rent-2' } };
  expect(await transfers.broadcast({ ...body, value: '2' })).toMatchObject(refusal(409, 'Conflict', duplicate));
  const other = await transfers.createWallet();
  expect(await transfers.broadcast(body, other.id)).toMatchObject(refusal(409, 'Conflict', duplicate));
});

test('409: an open request of the wallet has already claimed the nonce; the next request may use the next nonce', async () => {
  const wallet = await transfers.createWallet();
  const ask = (nonce: unknown) => transfers.broadcast({ kind: 'Evm', to, value: '1', nonce }, wallet.id);
  expect(await ask(0)).toMatchObject({ status: 200 });
  expect(await ask('0x')).toMatchObject(refusal(409, 'Conflict', { nonce: 0, next: 1 }));
  expect(await ask('1')).toMatchObject({ status: 200 });
});

test('400: the nonce is already used, or would leave a gap', async () => {
  const wallet = await transfers.createWallet();
  transfers.node.transactionCount = 5;
  const ask = (nonce: number) => transfers.broadcast({ kind: 'Evm', to, value: '1', nonce }, wallet.id);
  const used = await ask(4);
  const gap = await ask(6);
  transfers.node.transactionCount = 0;
  expect(used).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.nonce')));
  expect(gap).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.nonce')));
});

test('400: the externalId that the organisation requires is missing, and nothing is sent (S16)', async () => {
  const { client } = transfers.admin;
  expect((await client.change('PUT', '/organizations/settings', { externalIdRequired: true })).status).toBe(200);
  expect(await transfers.broadcast({ kind: 'Evm', to })).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.externalId')),
  );
  expect((await client.change('PUT', '/organizations/settings', { externalIdRequired: false })).status).toBe(200);
});

const legacy = { ...plain, type: 'legacy', gasPrice: 3n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined } as const;
const signature = { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, yParity: 0 } as const;

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['an unknown kind', { kind: 'SignDocDirect' }, 'body.kind'],
  ['a kind of another family of networks', { kind: 'Psbt', psbt: '70736274ff' }, 'body.kind'],
  ['no recipient', { kind: 'Evm', value: '1' }, 'body.to'],
  ['a wrong checksum', { kind: 'Evm', to: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' }, 'body.to'],
  ['data that ends with half a byte', { kind: 'Evm', to, data: '0x123' }, 'body.data'],
  ['data beyond the limit', { kind: 'Evm', to, data: `0x${'00'.repeat(16_385)}` }, 'body.data'],
  ['a negative value', { kind: 'Evm', to, value: '-1' }, 'body.value'],
  ['a value that exceeds 256 bits', { kind: 'Evm', to, value: (2n ** 256n).toString() }, 'body.value'],
  ['a fractional nonce', { kind: 'Evm', to, nonce: 1.5 }, 'body.nonce'],
  ['a nonce beyond the limit', { kind: 'Evm', to, nonce: '4294967296' }, 'body.nonce'],
  ['a price member that the kind does not have', { kind: 'Evm', to, maxFeePerGas: '1' }, 'body.maxFeePerGas'],
  [
    'a tip above the maximum fee',
    { kind: 'Eip1559', to, maxFeePerGas: '1', maxPriorityFeePerGas: '2' },
    'body.maxPriorityFeePerGas',
  ],
  ['a fee above the ceiling', { kind: 'Eip1559', to, gasLimit: '1000000', maxFeePerGas: '1000000000000' }, 'body.gasLimit'],
  ['an unknown member', { kind: 'Evm', to, input: '0x' }, 'body.input'],
  ['an unknown member of the JSON', json({ input: '0x' }), 'body.transaction.input'],
  ['a type with blobs', json({ type: 3 }), 'body.transaction.type'],
  ['a different chain', json({ chainId: 1 }), 'body.transaction.chainId'],
  ['a different sender', json({ from: CONTRACT }), 'body.transaction.from'],
  ['a gas price for type 2', json({ gasPrice: '1' }), 'body.transaction.gasPrice'],
  ['a price member of type 2 in type 0', json({ type: 0, maxFeePerGas: '1' }), 'body.transaction.maxFeePerGas'],
  ['an access list for type 0', json({ type: 0, accessList: [] }), 'body.transaction.accessList'],
  ['type 4 without authorizations', json({ type: 4, authorizationList: [] }), 'body.transaction.authorizationList'],
  ['authorizations for type 2', json({ authorizationList: [] }), 'body.transaction.authorizationList'],
  ['no transaction', { kind: 'Transaction' }, 'body.transaction'],
  ['empty hex', hex('0x'), 'body.transaction'],
  ['hex that is not a transaction', hex('0xdeadbeef'), 'body.transaction'],
  ['hex that was cut short', hex(unsigned.slice(0, -2)), 'body.transaction'],
  ['a byte after the transaction', hex(`${unsigned}00`), 'body.transaction'],
  ['hex for another chain', hex(serializeTransaction({ type: 'eip1559', ...plain, chainId: 1 })), 'body.transaction'],
  ['hex without a chain', hex(serializeTransaction({ ...legacy, chainId: undefined })), 'body.transaction'],
  ['hex that is signed', hex(serializeTransaction({ type: 'eip1559', ...plain }, signature)), 'body.transaction'],
  [
    'hex that creates a contract',
    hex(serializeTransaction({ type: 'eip1559', ...plain, to: null, data: '0x00' })),
    'body.transaction',
  ],
  ['an external id of 51 characters', { kind: 'Evm', to, externalId: 'x'.repeat(51) }, 'body.externalId'],
])('400: for %s, the error contains the path, and nothing is written', async (_title, body, path) => {
  const before = await transfers.count();
  const answer = await transfers.broadcast(body);
  expect(answer).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest', details: faultAt(path) } } });
  expect(await transfers.count()).toBe(before);
});

test.each<[string, object, object, string]>([
  ['without a contract at its address', {}, {}, 'body.call.contract'],
  ['to an address with a wrong checksum', { contract: CONTRACT.replace('b', 'B') }, {}, 'body.call.contract'],
  ['to a function that only reads', {}, { stateMutability: 'view' }, 'body.call.abi.stateMutability'],
  ['with an unknown type', {}, { inputs: [{ name: 'to', type: 'money' }] }, 'body.call.abi.inputs.0.type'],
  ['without one of its arguments', { calldata: { to } }, {}, 'body.call.calldata.amount'],
  ['with an argument that does not fit', { calldata: { to, amount: '-1' } }, {}, 'body.call.calldata.amount'],
  ['with value for a function that takes none', { value: '1' }, {}, 'body.call.value'],
])('400: a function call %s; nothing is written', async (_title, call, abi, path) => {
  const before = await transfers.count();
  const answer = await transfers.broadcast(functionCall(call, abi));
  expect(answer).toMatchObject({ status: 400, body: { error: { details: faultAt(path) } } });
  expect(await transfers.count()).toBe(before);
});

/** Creates a fee sponsor on a node that has the contracts for sponsoring. */
async function sponsoring() {
  for (const address of [ENTRY_POINT, DELEGATE])
    transfers.node.tokens.set(address.toLowerCase(), { decimals: 0, symbol: '', balanceUnits: 0n });
  transfers.node.tokens.set(CONTRACT.toLowerCase(), { decimals: 6, symbol: 'TST', balanceUnits: 5_000_000n });
  const [wallet, { id: walletId }] = await Promise.all([transfers.createWallet(), transfers.createWallet()]);
  const made = await transfers.admin.client.change('POST', '/fee-sponsors', { walletId });
  const feeSponsorId = (made.body as { readonly id: string }).id;
  return { wallet, body: (userOperations: readonly object[]) => ({ kind: 'UserOperations', userOperations, feeSponsorId }) };
}

test('200: policies evaluate the effect of each sponsored call; 400 if a policy blocks the calls', async () => {
  const { wallet, body } = await sponsoring();
  const policy = await transfers.admin.client.change('POST', '/v2/policies', {
    name: `To one alone from ${wallet.id}`,
    activityKind: 'Wallets:Sign',
    rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [to] } },
    action: { kind: 'Block' },
    filters: { walletId: { in: [wallet.id] } },
  });
  expect(policy.status).toBe(200);
  const paid = { to, value: '1' };
  const moved = { to: CONTRACT, data: transferData };
  const asked = await transfers.broadcast(body([paid, moved, { to }]), wallet.id);
  expect(asked).toMatchObject({
    status: 200,
    body: { status: 'Pending', requestBody: { userOperations: [paid, moved, { to }] } },
  });
  expect(asked.body).not.toHaveProperty('feeSponsorId');
  const blocked = refusal(400, 'SponsoredBlocked', { requestId: expect.stringMatching(/^tx-/) });
  for (const second of [
    { to: CONTRACT, value: '1' },
    { to: CONTRACT, data: `${transferData}00` },
    { to, data: '0x12345678' },
  ])
    expect(await transfers.broadcast(body([paid, second]), wallet.id)).toMatchObject(blocked);
});

test('400: a call is malformed, might hide other calls or moves too much; the error contains the path, and nothing is written', async () => {
  const { wallet, body } = await sponsoring();
  const before = await transfers.count();
  const ask = (second: object) => transfers.broadcast(body([{ to }, second]), wallet.id);
  const faults: readonly (readonly [object, string])[] = [
    [{ to, data: '0x123' }, 'body.userOperations.1.data'],
    [{ to: CONTRACT.replace('b', 'B') }, 'body.userOperations.1.to'],
    [{ value: '1' }, 'body.userOperations.1.to'],
    [{ to, value: '-1' }, 'body.userOperations.1.value'],
    [{ to: wallet.address, data: '0x34fcd5be' }, 'body.userOperations.1.data'],
    [{ to: ENTRY_POINT, data: '0x0bd28e3b' }, 'body.userOperations.1.data'],
    [{ to, data: `0x${'00'.repeat(16_384)}` }, 'body.userOperations.1.data'],
  ];
  for (const [second, path] of faults) expect(await ask(second)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  const twice = await transfers.broadcast(body([1, 2].map(() => ({ to: CONTRACT, data: transferData }))), wallet.id);
  expect(twice).toMatchObject(refusal(400, 'TransferWouldFail', faultAt('body.userOperations')));
  const { feeSponsorId: _nobody, ...unpaid } = body([{ to }]);
  for (const wrong of [unpaid, { ...unpaid, feeSponsorId: newId('feeSponsor') }])
    expect(await transfers.broadcast(wrong, wallet.id)).toMatchObject(
      refusal(400, 'InvalidRequest', faultAt('body.feeSponsorId')),
    );
  expect(await transfers.broadcast(body([]), wallet.id)).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.userOperations')),
  );
  expect(await transfers.count()).toBe(before);
  const person = await transfers.api.createPerson(transfers.orgId, { operations: ['Wallets:Transactions:Create'] });
  const path = `/wallets/${wallet.id}/transactions`;
  expect(await person.client.change('POST', path, body([{ to }]))).toMatchObject(refusal(403, 'Forbidden'));
});

test('401: without a token', async () => {
  const answer = await fetch(`${transfers.api.url}/wallets/${transfers.wallet.id}/transactions`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
});

test('403: without Wallets:Transactions:Create, or without a user action', async () => {
  const person = await transfers.api.createPerson(transfers.orgId, { operations: ['Wallets:Transfers:Create', 'Wallets:Read'] });
  const path = `/wallets/${transfers.wallet.id}/transactions`;
  const body = { kind: 'Evm', to };
  expect(await person.client.change('POST', path, body)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await transfers.admin.client.post(path, body)).toMatchObject(refusal(403, 'UserActionInvalid'));
});

test('404: a wallet that is unknown, belongs to another organisation, or is not the end user’s own', async () => {
  const path = `/wallets/${transfers.wallet.id}/transactions`;
  const body = { kind: 'Evm', to };
  expect(await transfers.broadcast(body, newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await transfers.stranger.client.change('POST', path, body)).toMatchObject(refusal(404, 'NotFound'));
  const endUser = await transfers.api.createPerson(transfers.orgId, { kind: 'EndUser' });
  expect(await endUser.client.change('POST', path, body)).toMatchObject(refusal(404, 'NotFound'));
});

test('503: no node answers, so that the nonce cannot be checked, and nothing is written', async () => {
  transfers.node.isDown = true;
  const before = await transfers.count();
  const answer = await transfers.broadcast({ kind: 'Evm', to, nonce: 0 });
  transfers.node.isDown = false;
  expect(answer).toMatchObject(refusal(503, 'NetworkUnavailable'));
  expect(await transfers.count()).toBe(before);
});
