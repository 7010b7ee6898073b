import token from '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { fundedWallet, holdPolicy, ok, RECIPIENT, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

const FAUCET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const ABI = parseAbi(['function transfer(address,uint256)', 'function balanceOf(address) view returns (uint256)']);
const CHAIN_ID = 11_155_111;

let service: JoinedService;
let admin: Client;
beforeAll(async () => {
  service = await joinService();
  admin = service.client('admin');
});
afterAll(() => service?.close());

const broadcast = async (walletId: string, body: Readonly<Record<string, unknown>>): Promise<TransferBody> =>
  ok(await admin.change('POST', `/wallets/${walletId}/transactions`, body)) as TransferBody;

const ended = (walletId: string, id: string): Promise<TransferBody> =>
  waitUntil(
    `the end of ${id}`,
    async () => {
      const transaction = ok(await admin.get(`/wallets/${walletId}/transactions/${id}`)) as TransferBody;
      return ['Confirmed', 'Failed', 'Rejected'].includes(transaction.status) && transaction;
    },
    90_000,
  );

const receiptOf = (txHash: string | undefined) =>
  waitUntil(
    `the receipt of ${txHash}`,
    async () =>
      ((await service.rpc('eth_getTransactionReceipt', [txHash])) ?? false) as { type: string; contractAddress: string } | false,
  );

async function deployToken(owner: string): Promise<string> {
  const parameters = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
  const data = token.bytecode + encodeAbiParameters(parameters, ['Test', 'TST', 1_000n, owner as `0x${string}`]).slice(2);
  const txHash = (await service.rpc('eth_sendTransaction', [{ from: FAUCET, data, gas: '0x4c4b40' }])) as string;
  return (await receiptOf(txHash)).contractAddress;
}

const balanceOf = async (contract: string, owner: string) => {
  const data = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [owner as `0x${string}`] });
  return BigInt((await service.rpc('eth_call', [{ to: contract, data }, 'latest'])) as string);
};

const transferData = (units: bigint) =>
  encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [RECIPIENT as `0x${string}`, units] });

test.each([
  ['0', { type: 0 }],
  ['1', { type: 1, accessList: [{ address: RECIPIENT, storageKeys: [] }] }],
  ['2', {}],
])(
  'the answer to a contract call of type %s contains the transaction id; the call confirms and moves the tokens',
  async (type, more) => {
    const wallet = await fundedWallet(service, admin);
    const contract = await deployToken(wallet.address);
    const before = await balanceOf(contract, RECIPIENT);
    const sent = await broadcast(wallet.id, {
      kind: 'Transaction',
      transaction: { to: contract, data: transferData(5n), ...more },
    });
    expect(sent).toMatchObject({
      status: expect.stringMatching(/^(Broadcasted|Confirmed)$/),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(await ended(wallet.id, sent.id)).toMatchObject({ status: 'Confirmed', txHash: sent.txHash });
    expect((await receiptOf(sent.txHash)).type).toBe(`0x${type}`);
    expect(await balanceOf(contract, RECIPIENT)).toBe(before + 5n);
  },
);

test('a transaction of type 4 sets the delegate of another account and confirms', async () => {
  const wallet = await fundedWallet(service, admin);
  const account = privateKeyToAccount(`0x${'05'.repeat(32)}`);
  const contract = await deployToken(wallet.address);
  const { r, s, yParity } = await account.signAuthorization({
    chainId: CHAIN_ID,
    nonce: 0,
    contractAddress: contract as `0x${string}`,
  });
  const authorizationList = [{ chainId: CHAIN_ID, address: contract.toLowerCase(), nonce: 0, yParity, r, s }];
  const sent = await broadcast(wallet.id, { kind: 'Transaction', transaction: { type: 4, to: RECIPIENT, authorizationList } });
  expect(await ended(wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });
  expect(await service.rpc('eth_getCode', [account.address, 'latest'])).toBe(`0xef0100${contract.slice(2).toLowerCase()}`);
});

test('a call that would revert is returned as Failed with the reason, and the next transaction gets its nonce', async () => {
  const wallet = await fundedWallet(service, admin);
  const contract = await deployToken(wallet.address);
  const failed = await broadcast(wallet.id, { kind: 'Evm', to: contract, data: transferData(1_001n) });
  expect(failed).toMatchObject({ status: 'Failed', reason: expect.stringMatching(/would fail/) });
  expect(failed).not.toHaveProperty('txHash');
  const next = await broadcast(wallet.id, { kind: 'Evm', to: RECIPIENT, value: '1' });
  expect(await ended(wallet.id, next.id)).toMatchObject({ status: 'Confirmed' });
  expect(await service.rpc('eth_getTransactionByHash', [next.txHash])).toMatchObject({ nonce: '0x0' });
});

test('a held transaction waits, its approval shows the request, and it does what was approved', async () => {
  const wallet = await fundedWallet(service, admin);
  await holdPolicy(admin, wallet.id, { approvers: { userId: { in: [service.userId('approver')] } } });
  const held = await broadcast(wallet.id, { kind: 'Eip1559', to: RECIPIENT, value: '77', data: '0xc0ffee' });
  expect(held).toMatchObject({ status: 'Pending', approvalId: expect.stringMatching(/^ap-/) });
  const approver = service.client('approver');
  expect(ok(await approver.get(`/v2/policy-approvals/${held.approvalId}`))).toMatchObject({
    activity: { kind: 'Wallets:Sign', transactionRequest: { id: held.id, requestBody: { data: '0xc0ffee' } } },
  });
  ok(await approver.change('POST', `/v2/policy-approvals/${held.approvalId}/decisions`, { value: 'Approved' }));
  const end = await ended(wallet.id, held.id);
  expect(end).toMatchObject({ status: 'Confirmed' });
  expect(await service.rpc('eth_getTransactionByHash', [end.txHash])).toMatchObject({ input: '0xc0ffee', value: '0x4d' });
});
