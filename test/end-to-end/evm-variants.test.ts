import collectible from '@openzeppelin/contracts/build/contracts/ERC721PresetMinterPauserAutoId.json';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import { freePort } from '../../local/free-port';
import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, ok, RECIPIENT, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

const FAUCET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const PATH_USD = '0x20C0000000000000000000000000000000000000';
const ABI = parseAbi([
  'function transfer(address,uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function mint(address)',
  'function ownerOf(uint256) view returns (address)',
]);
const PORTS = { OPTIMISM_PORT: '', CELO_PORT: '', TEMPO_PORT: '', CLASSIC_PORT: '' };

type Hex = `0x${string}`;
type Transaction = { readonly type: string; readonly feeToken?: string; readonly gasPrice?: string };
type Receipt = { readonly gasUsed: string; readonly effectiveGasPrice: string; readonly contractAddress: string };

let service: Service;
let admin: Client;
let ports: typeof PORTS;
beforeAll(async () => {
  const free = await Promise.all(Object.keys(PORTS).map(async (name) => [name, String(await freePort())]));
  ports = Object.fromEntries(free) as typeof PORTS;
  service = await createService({ LOCAL_NETWORKS: 'optimism,celo,tempo,classic', ...ports });
  await service.start();
  admin = service.client('admin');
});
afterAll(() => service?.close());

/** Sends requests to the node of one of the chains. */
const nodeAt =
  (port: keyof typeof PORTS) =>
  async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const reply = await fetch(`http://127.0.0.1:${ports[port]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return ((await reply.json()) as { readonly result: T }).result;
  };

const walletOn = async (network: string) => ok(await admin.change('POST', '/wallets', { network })) as WalletBody;

test.each([
  { network: 'OptimismSepolia', port: 'OPTIMISM_PORT', type: '0x2', isDataPaid: true },
  { network: 'CeloAlfajores', port: 'CELO_PORT', type: '0x2', isDataPaid: false },
  { network: 'EthereumClassicMordor', port: 'CLASSIC_PORT', type: '0x0', isDataPaid: false },
] as const)(
  'the native coin of $network is transferred by a transaction of type $type',
  async ({ network, port, type, isDataPaid }) => {
    const node = nodeAt(port);
    const wallet = await walletOn(network);
    await node('anvil_setBalance', wallet.address, '0x8AC7230489E80000');
    const sent = await send(admin, wallet.id, { amount: '1000' });
    const end = await ended(admin, wallet.id, sent.id);
    expect(end).toMatchObject({ status: 'Confirmed' });
    expect((await node<Transaction>('eth_getTransactionByHash', end.txHash)).type).toBe(type);
    const { gasUsed, effectiveGasPrice } = await node<Receipt>('eth_getTransactionReceipt', end.txHash);
    const gasFee = BigInt(gasUsed) * BigInt(effectiveGasPrice);
    const spent = 10n ** 19n - BigInt(await node<string>('eth_getBalance', wallet.address, 'latest'));
    expect(spent - 1000n > gasFee).toBe(isDataPaid);
  },
);

test('a dollar token of Tempo is transferred and pays the fee, and there is no native coin to transfer', async () => {
  const node = nodeAt('TEMPO_PORT');
  const wallet = await walletOn('TempoModerato');
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [wallet.address as Hex, 3_000_000n] });
  await node('eth_sendTransaction', { from: FAUCET, to: PATH_USD, data });
  const balanceOf = async (owner: string) => {
    const asked = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [owner as Hex] });
    return BigInt(await node<string>('eth_call', { to: PATH_USD, data: asked }, 'latest'));
  };
  await waitUntil('the first dollars', async () => (await balanceOf(wallet.address)) > 0n);
  const before = await balanceOf(RECIPIENT);

  const sent = await send(admin, wallet.id, { kind: 'Erc20', contract: PATH_USD, amount: '1000000' });
  const end = await ended(admin, wallet.id, sent.id);
  expect(end).toMatchObject({ status: 'Confirmed', fee: expect.stringMatching(/^[1-9]\d*$/) });
  expect(await node('eth_getTransactionByHash', end.txHash)).toMatchObject({ type: '0x76', feeToken: PATH_USD.toLowerCase() });
  expect((await balanceOf(RECIPIENT)) - before).toBe(1_000_000n);
  // The API reports fees in 10^-18 dollars, and the chain charges whole units of 10^-6 dollars, rounded up.
  const taken = (BigInt(end.fee ?? 0) + 10n ** 12n - 1n) / 10n ** 12n;
  expect(await balanceOf(wallet.address)).toBe(2_000_000n - taken);

  const coin = await admin.change('POST', `/wallets/${wallet.id}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '1' });
  expect(coin).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  const hidden = { kind: 'Erc7984', contract: PATH_USD, to: RECIPIENT, amount: '1' };
  expect(await admin.change('POST', `/wallets/${wallet.id}/transfers`, hidden)).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.kind', message: expect.stringMatching(/no confidentialAmounts/) }] } } },
  });
});

type Laned = { readonly nonceKey: string; readonly nonce: string };

test('on Tempo a stuck transfer does not block others, because each transfer has its own lane (nonce sequence)', async () => {
  const node = nodeAt('TEMPO_PORT');
  const wallet = await walletOn('TempoModerato');
  const amountsIn = async (id: string) => {
    const { txHash, status } = ok(await admin.get(`/wallets/${wallet.id}/transfers/${id}`)) as TransferBody;
    expect(status).toBe('Broadcasted');
    return { txHash, ...(await node<Laned>('eth_getTransactionByHash', txHash)) };
  };
  const pay = (amount: string) => send(admin, wallet.id, { kind: 'Erc20', contract: PATH_USD, amount });
  const paid = (units: bigint) =>
    encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [wallet.address as Hex, units] });
  const given = await node<string>('eth_sendTransaction', { from: FAUCET, to: PATH_USD, data: paid(50_000_000n) });
  await waitUntil('the dollars', async () => (await node('eth_getTransactionReceipt', given)) !== null);
  await node('strongroom_setMining', false);
  try {
    const [first, second, third] = [await pay('1'), await pay('2'), await pay('3')];
    const [one, two, three] = [await amountsIn(first.id), await amountsIn(second.id), await amountsIn(third.id)];
    expect([one, two, three].map(({ nonceKey, nonce }) => [nonceKey, nonce])).toEqual([
      ['0x0', '0x0'],
      ['0x1', '0x0'],
      ['0x2', '0x0'],
    ]);
    // A caller may also specify a lane, and may replace a stuck transaction in a lane.
    const asked = { type: 118, to: PATH_USD, data: paid(5n), nonceKey: '77', gasLimit: 200_000 };
    const raw = ok(
      await admin.change('POST', `/wallets/${wallet.id}/transactions`, { kind: 'Transaction', transaction: asked }),
    ) as TransferBody;
    expect(await node('eth_getTransactionByHash', raw.txHash)).toMatchObject({ nonceKey: '0x4d', nonce: '0x0' });
    const taken = await admin.change('POST', `/wallets/${wallet.id}/transactions`, {
      kind: 'Transaction',
      transaction: { ...asked, nonce: 1 },
    });
    expect(taken).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
    const faster = ok(await admin.change('POST', `/wallets/${wallet.id}/transfers/${second.id}/speed-up`)) as TransferBody;
    expect(await node('eth_getTransactionByHash', faster.txHash)).toMatchObject({ nonceKey: '0x1', nonce: '0x0' });
    const none = ok(await admin.change('POST', `/wallets/${wallet.id}/transfers/${third.id}/cancel`)) as TransferBody;
    expect(await node('eth_getTransactionByHash', none.txHash)).toMatchObject({ nonceKey: '0x2', nonce: '0x0' });
    // A transaction that was signed in a lane and never sent is cancelled in the same lane.
    const price = (BigInt(await node<string>('eth_gasPrice')) * 2n).toString();
    const prices = { maxFeePerGas: price, maxPriorityFeePerGas: '0' };
    const kept = ok(
      await admin.change('POST', `/wallets/${wallet.id}/signatures`, {
        kind: 'Transaction',
        transaction: { ...asked, ...prices, nonceKey: '78', nonce: 0 },
      }),
    ) as { readonly id: string };
    const burnt = ok(await admin.change('POST', `/wallets/${wallet.id}/signatures/${kept.id}/cancel`)) as TransferBody;
    expect(await node('eth_getTransactionByHash', burnt.txHash)).toMatchObject({ nonceKey: '0x4e', nonce: '0x0' });

    await node('anvil_dropTransaction', one.txHash);
    await node('evm_mine');
    for (const { txHash } of [faster, none, raw, burnt])
      expect(await node('eth_getTransactionReceipt', txHash)).toMatchObject({ status: '0x1' });
    expect(await node('eth_getTransactionReceipt', one.txHash)).toBeNull();
    await node('strongroom_setMining', true);
    expect(await ended(admin, wallet.id, first.id)).toMatchObject({ status: 'Confirmed' });
    expect(await ended(admin, wallet.id, second.id)).toMatchObject({ status: 'Failed', replacementId: faster.id });
    expect(await ended(admin, wallet.id, third.id)).toMatchObject({ status: 'Failed', replacementId: none.id });
  } finally {
    await node('strongroom_setMining', true);
  }
});

test('an ERC-721 token is transferred by its owner, and only once', async () => {
  const wallet = await fundedWallet(service, admin);
  const texts = [{ type: 'string' }, { type: 'string' }, { type: 'string' }] as const;
  const receiptOf = (txHash: unknown) =>
    waitUntil(
      'a receipt',
      async () => (((await service.rpc('eth_getTransactionReceipt', [txHash])) ?? false) as Receipt) || false,
    );
  const faucetSends = async (fields: object) =>
    receiptOf(await service.rpc('eth_sendTransaction', [{ from: FAUCET, gas: '0x4c4b40', ...fields }]));
  const code = collectible.bytecode + encodeAbiParameters(texts, ['Pictures', 'PIC', 'x:']).slice(2);
  const { contractAddress: contract } = await faucetSends({ data: code });
  await faucetSends({
    to: contract,
    data: encodeFunctionData({ abi: ABI, functionName: 'mint', args: [wallet.address as Hex] }),
  });

  const body = { kind: 'Erc721', contract, to: RECIPIENT, tokenId: '0' };
  const ask = (change: object = {}) => admin.change('POST', `/wallets/${wallet.id}/transfers`, { ...body, ...change });
  const sent = ok(await ask()) as { readonly id: string };
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed', requestBody: body });
  const data = encodeFunctionData({ abi: ABI, functionName: 'ownerOf', args: [0n] });
  expect(await service.rpc('eth_call', [{ to: contract, data }, 'latest'])).toMatch(new RegExp(`${RECIPIENT.slice(2)}$`, 'i'));

  const answers = [await ask(), await ask({ tokenId: '7' }), await ask({ contract: FAUCET }), await ask({ tokenId: '01' })];
  expect(answers.map(({ status, body: told }) => [status, (told as { error: { id: string } }).error.id])).toEqual([
    [400, 'TransferWouldFail'],
    [400, 'AssetNotSupported'],
    [400, 'AssetNotSupported'],
    [400, 'InvalidRequest'],
  ]);
});
