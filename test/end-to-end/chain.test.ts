import token from '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json';
import { createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { sepolia } from 'viem/chains';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, ok, RECIPIENT, send } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

/** EVM code that accepts every call, and code that reverts every call. */
const ACCEPTS = '0x00';
const REVERTS = '0x60006000fd';
const CONTRACT = '0x00000000000000000000000000000000000c0de1';

let service: Service;
beforeAll(async () => {
  // This file starts its own service and chain, because its reorganisations would remove blocks that other test files need.
  service = await createService();
  await service.start();
});
afterAll(() => service?.close());

const knownTo = (txHash: string | undefined) => service.rpc('eth_getTransactionByHash', [txHash]);

test('after a reorganisation before finality the same bytes are included again and confirm', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const sent = await send(admin, wallet.id);
  await service.rpc('evm_mine');
  await waitUntil(
    'the block of the transaction',
    async () => (await service.rpc('eth_getTransactionReceipt', [sent.txHash])) !== null,
  );
  await service.rpc('anvil_reorg', [1, []]);
  expect(await service.rpc('eth_getTransactionReceipt', [sent.txHash])).toBeNull();
  expect(ok(await admin.get(`/wallets/${wallet.id}/transfers/${sent.id}`))).toMatchObject({ status: 'Broadcasted' });
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed', txHash: sent.txHash });
});

test('a transaction that reverts in its block ends as Failed with its fee, and the transfer with the next nonce confirms', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  await service.rpc('anvil_setCode', [CONTRACT, ACCEPTS]);
  await service.rpc('strongroom_setMining', [false]);
  const sent = await send(admin, wallet.id, { to: CONTRACT });
  expect(sent.txHash).toMatch(/^0x/);
  await service.rpc('anvil_setCode', [CONTRACT, REVERTS]);
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({
    status: 'Failed',
    txHash: sent.txHash,
    reason: expect.stringMatching(/revert/),
    fee: expect.stringMatching(/^[1-9]\d*$/),
  });
  const next = await send(admin, wallet.id);
  expect((await ended(admin, wallet.id, next.id)).status).toBe('Confirmed');
  expect(await knownTo(next.txHash)).toMatchObject({ nonce: '0x1' });
});

test('ERC-20 tokens are transferred and shown among the assets, and a transfer above the balance is refused', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  const { rpcUrl, faucetPrivateKey } = service.firstRun().chains.EthereumSepolia;
  const account = privateKeyToAccount(faucetPrivateKey as Hex);
  const faucet = createWalletClient({ account, chain: sepolia, transport: http(rpcUrl) });
  const hash = await faucet.deployContract({
    abi: token.abi,
    bytecode: token.bytecode as Hex,
    args: ['Test Dollar', 'TUSD', 1_000_000n, wallet.address],
  });
  const receipt = await waitUntil('the token', async () => {
    const found = (await service.rpc('eth_getTransactionReceipt', [hash])) as { readonly contractAddress: string } | null;
    return found ?? false;
  });
  const contract = receipt.contractAddress;
  const sent = await send(admin, wallet.id, { kind: 'Erc20', contract, amount: '250000' });
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({
    status: 'Confirmed',
    metadata: { asset: { symbol: 'TUSD', decimals: 18 } },
  });
  const balance = await service.rpc('eth_call', [
    { to: contract, data: `0x70a08231${RECIPIENT.slice(2).toLowerCase().padStart(64, '0')}` },
    'latest',
  ]);
  expect(BigInt(balance as string)).toBe(250_000n);
  const { assets } = ok(await admin.get(`/wallets/${wallet.id}/assets`)) as { assets: readonly object[] };
  expect(assets).toEqual([
    expect.objectContaining({ kind: 'Native', symbol: 'ETH' }),
    expect.objectContaining({ kind: 'Erc20', symbol: 'TUSD', balance: '750000' }),
  ]);
  const tooMuch = { kind: 'Erc20', contract, amount: '750001', to: RECIPIENT };
  expect(await admin.change('POST', `/wallets/${wallet.id}/transfers`, tooMuch)).toMatchObject({
    status: 400,
    body: { error: { id: 'TransferWouldFail', details: { issues: [{ path: 'body.amount' }] } } },
  });
});
