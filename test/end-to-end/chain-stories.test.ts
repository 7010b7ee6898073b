import type { Address } from 'viem';
import { freePort } from '../../local/free-port';
import { type LyingNode, startLyingNode } from '../../local/lying-node';
import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { stolenWallet } from '../support/stolen-wallet';
import { ended, fundedWallet, ok, RECIPIENT, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

/** A transfer is final after this number of blocks. One block less is the deepest reorganisation that must change nothing. */
const CONFIRMATIONS = 4;

let service: Service;
let liar: LyingNode;
let admin: Client;
beforeAll(async () => {
  const port = String(await freePort());
  const chainUrl = `http://127.0.0.1:${port}`;
  liar = await startLyingNode(chainUrl);
  service = await createService({
    CHAIN_PORT: port,
    NETWORK_RPC_URLS: JSON.stringify({ EthereumSepolia: [chainUrl, liar.url] }),
    NETWORK_SETTINGS: JSON.stringify({ EthereumSepolia: { readQuorum: 2, confirmations: CONFIRMATIONS } }),
  });
  await service.start();
  admin = service.client('admin');
});
afterAll(async () => {
  await service?.close();
  await liar?.close();
});
afterEach(() => service.rpc('strongroom_setMining', [true]));

const shown = async ({ id: walletId }: WalletBody, { id }: TransferBody) =>
  ok(await admin.get(`/wallets/${walletId}/transfers/${id}`)) as TransferBody;
const isOnChain = async (txHash: string | undefined) => (await service.rpc('eth_getTransactionReceipt', [txHash])) !== null;
const spends = async ({ address }: WalletBody) => Number(await service.rpc('eth_getTransactionCount', [address, 'latest']));
/** The number of alarms of this kind that the worker has counted. Alarms must reach an operator. */
const alarms = async (kind: string) =>
  Number(
    new RegExp(`strongroom_chain_alarms_total\\{[^}]*kind="${kind}"[^}]*\\} (\\d+)`).exec(
      await service.scrape('WORKER_METRICS_PORT'),
    )?.[1],
  );
const becomes = (wallet: WalletBody, transfer: TransferBody, status: string) =>
  waitUntil(
    `${transfer.id} to be ${status}`,
    async () => {
      const now = await shown(wallet, transfer);
      return now.status === status && now;
    },
    60_000,
  );

test('while two nodes disagree, nothing is signed; once they agree, the transfer continues', async () => {
  const wallet = await fundedWallet(service, admin);
  liar.lies.set('eth_getTransactionCount', () => '0x7');
  const sent = await send(admin, wallet.id);
  const isDisagreement = (line: string) =>
    line.startsWith('strongroom_rpc_request_duration_seconds_count') &&
    line.includes('"eth_getTransactionCount"') &&
    line.includes('"Disagreed"');
  const disagreed = async () => (await service.scrape('WORKER_METRICS_PORT')).split('\n').some(isDisagreement);
  await waitUntil('the disagreement', disagreed, 60_000);
  expect(await shown(wallet, sent)).toMatchObject({ status: 'Executing' });
  expect((await shown(wallet, sent)).txHash).toBeUndefined();
  liar.lies.clear();
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });
  expect(await spends(wallet)).toBe(1);
});

test('transfers from before and during an outage of all nodes confirm after the outage', async () => {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const before = await send(admin, wallet.id);
  liar.isDown = true;
  await service.rpc('strongroom_setDown', [true]);
  const meanwhile = await send(admin, wallet.id, { amount: '2000' });
  await waitUntil('the follower to miss its node', () => service.log().includes('the follower failed and tries again'));
  expect(await shown(wallet, before)).toMatchObject({ status: 'Broadcasted' });
  expect(await shown(wallet, meanwhile)).toMatchObject({ status: 'Executing' });
  liar.isDown = false;
  await service.rpc('strongroom_setDown', [false]);
  await service.rpc('strongroom_setMining', [true]);
  for (const one of [before, meanwhile]) expect(await ended(admin, wallet.id, one.id)).toMatchObject({ status: 'Confirmed' });
  expect(await spends(wallet)).toBe(2);
});

test('of two simultaneous requests for one nonce, one is carried out, and the other is refused with the reason', async () => {
  const wallet = await fundedWallet(service, admin);
  const ask = () => {
    const transaction = { to: RECIPIENT, value: '1', data: '0x', nonce: 0 };
    return admin.change('POST', `/wallets/${wallet.id}/transactions`, { kind: 'Transaction', transaction });
  };
  const answers = (await Promise.all([ask(), ask()])).map(({ status, body }) => ({
    status,
    said: JSON.stringify(body),
    isSent: status === 200 && (body as TransferBody).txHash !== undefined,
  }));
  expect(answers.filter(({ isSent }) => isSent)).toHaveLength(1);
  expect(answers.find(({ isSent }) => !isSent)?.said).toMatch(/nonce/i);
  await waitUntil('the spend', async () => (await spends(wallet)) === 1);
});

test('a reorganisation before finality lets the same bytes confirm again, and one after finality reverses Confirmed', async () => {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const sent = await send(admin, wallet.id);
  for (let block = 0; block < CONFIRMATIONS - 1; block += 1) await service.rpc('evm_mine');
  expect(await isOnChain(sent.txHash)).toBe(true);
  await service.rpc('anvil_reorg', [CONFIRMATIONS - 1, []]);
  expect(await isOnChain(sent.txHash)).toBe(false);
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed', txHash: sent.txHash });

  const later = await send(admin, wallet.id);
  await ended(admin, wallet.id, later.id);
  await service.rpc('strongroom_setMining', [false]);
  const { blockNumber } = (await service.rpc('eth_getTransactionReceipt', [later.txHash])) as { readonly blockNumber: string };
  const head = Number(await service.rpc('eth_blockNumber'));
  await service.rpc('anvil_reorg', [head - Number(blockNumber) + 1, []]);
  expect(await becomes(wallet, later, 'Broadcasted')).toMatchObject({
    txHash: later.txHash,
    reason: expect.stringMatching(/reorganisation/),
  });
  expect(await alarms('Reversed')).toBe(1);
  expect((await shown(wallet, sent)).status).toBe('Confirmed');
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, later.id)).toMatchObject({ status: 'Confirmed', txHash: later.txHash });
  expect(await spends(wallet)).toBe(2);
});

test('a transaction from outside the service uses up a nonce: the transfer fails with an alarm, and people must release the key (S18)', async () => {
  const { wallet, thief } = await stolenWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const sent = await send(admin, wallet.id);
  const call = {
    chainId: 11_155_111,
    type: 'eip1559',
    to: wallet.address as Address,
    value: 0n,
    nonce: 0,
    gas: 21_000n,
  } as const;
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 11n };
  await service.rpc('eth_sendRawTransaction', [await thief.signTransaction({ ...call, ...fees })]);
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/not signed here/),
  });
  expect(await isOnChain(sent.txHash)).toBe(false);
  // The scanner also raises an alarm, unless the follower, which watches sent transactions, has already raised one.
  expect(await alarms('SpentElsewhere')).toBeGreaterThanOrEqual(1);
  const refused = await admin.change('POST', `/wallets/${wallet.id}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '1' });
  expect(refused).toMatchObject({ status: 409, body: { error: { id: 'TargetFrozen', details: { target: { kind: 'Key' } } } } });
  const { freezeId } = (refused.body as { readonly error: { readonly details: { readonly freezeId: string } } }).error.details;
  const freeze = async () => ok(await admin.get(`/freezes/${freezeId}`)) as Readonly<Record<string, unknown>>;
  await waitUntil('the signer to apply the freeze', async () => (await freeze())['dateSignerTold'] !== undefined);
  expect(await freeze()).not.toHaveProperty('requester');
  ok(await admin.change('DELETE', `/freezes/${freezeId}`));
  await waitUntil('the signer to release the freeze', async () => (await freeze())['dateSignerReleased'] !== undefined);
  const next = await send(admin, wallet.id);
  expect(await ended(admin, wallet.id, next.id)).toMatchObject({ status: 'Confirmed' });
  expect(await spends(wallet)).toBe(2);
});
