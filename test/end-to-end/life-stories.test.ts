import { readdirSync, readFileSync } from 'node:fs';
import { networkOf } from '../../chains/networks';
import { freePort } from '../../local/free-port';
import { type LyingNode, startLyingNode } from '../../local/lying-node';
import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, ok, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

type Shown = TransferBody & {
  readonly replacementId?: string;
  readonly details?: { readonly stage?: string; readonly madeByService?: true };
};

/** Above this price per gas the fee of a plain transfer, which takes 21,000 gas, exceeds the ceiling. */
const PRICE_MAX = networkOf('EthereumSepolia').feeCeilingUnits / 21_000n;
const hexOf = (value: bigint) => `0x${value.toString(16)}`;

let service: Service;
let node: LyingNode;
let admin: Client;
beforeAll(async () => {
  const port = String(await freePort());
  // The service has only this lying node for the network.
  node = await startLyingNode(`http://127.0.0.1:${port}`);
  service = await createService({ CHAIN_PORT: port, NETWORK_RPC_URLS: JSON.stringify({ EthereumSepolia: [node.url] }) });
  await service.start();
  admin = service.client('admin');
});
afterAll(async () => {
  await service?.close();
  await node?.close();
});
afterEach(async () => {
  node.lies.clear();
  await service.rpc('strongroom_setMining', [true]);
});

const shown = async (walletId: string, id: string) =>
  ok(await admin.get(`/wallets/${walletId}/${id.startsWith('tx-') ? 'transactions' : 'transfers'}/${id}`)) as Shown;
const until = (walletId: string, id: string, is: (now: Shown) => boolean) =>
  waitUntil(
    `the story of ${id}`,
    async () => {
      const now = await shown(walletId, id);
      return is(now) && now;
    },
    120_000,
  );
const isEnded = ({ status }: Shown) => ['Confirmed', 'Failed', 'Rejected'].includes(status);
const nonceOf = async (txHash: string | undefined) =>
  Number(((await service.rpc('eth_getTransactionByHash', [txHash])) as { readonly nonce: string }).nonce);
const countOf = async ({ address }: WalletBody) => Number(await service.rpc('eth_getTransactionCount', [address, 'latest']));
const stageOf = async (walletId: string, id: string) =>
  (ok(await admin.get(`/wallets/${walletId}/transfers/${id}/explain`)) as { readonly stage: string }).stage;

/** The current process id of this service's signer. */
function signerPid(): number | undefined {
  const found = readdirSync('/proc').find((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        /signer\/main/.test(readFileSync(`/proc/${name}/cmdline`, 'utf8')) &&
        readFileSync(`/proc/${name}/environ`, 'utf8').includes(service.dataFolder)
      );
    } catch {
      return false;
    }
  });
  return found === undefined ? undefined : Number(found);
}

/** Sends a request without waiting for the answer, and returns its row once the row satisfies `is`. */
async function begun(wallet: WalletBody, more: Readonly<Record<string, unknown>>, is: (now: Shown) => boolean): Promise<Shown> {
  const answer = send(admin, wallet.id, more).catch(() => undefined);
  const first = await waitUntil('the request to reach the state', async () => {
    const { items } = ok(await admin.get(`/wallets/${wallet.id}/transfers?limit=1`)) as { readonly items: readonly Shown[] };
    const [newest] = items;
    return newest !== undefined && is(newest) && newest;
  });
  void answer;
  return first;
}

test('a transfer that is aborted while the signer does not answer never reaches the chain, and its nonce gap is filled', async () => {
  const wallet = await fundedWallet(service, admin);
  process.kill(signerPid() ?? 0, 'SIGSTOP');
  const isConstructed = ({ details }: Shown) => details?.stage === 'Constructed';
  const first = await begun(wallet, { amount: '1' }, isConstructed);
  const second = await begun(wallet, { amount: '2' }, (now) => now.id !== first.id && isConstructed(now));
  expect(ok(await admin.change('PUT', `/wallets/${wallet.id}/transfers/${first.id}/abort`))).toMatchObject({
    status: 'Executing',
    details: { stage: 'Aborting' },
  });
  // After the stop the signer no longer has the order from the service, but the row still shows that the order must be withdrawn.
  await service.stop('SIGKILL');
  await service.start();
  admin = service.client('admin');
  expect(await until(wallet.id, first.id, isEnded)).toMatchObject({
    status: 'Failed',
    reason: 'Aborted on request before anything was signed',
  });
  const end = await waitUntil(
    'the end of the second transfer',
    async () => {
      // This chain mines only on demand, and the service helps a transaction only after it was stuck for some blocks.
      await service.rpc('evm_mine', []);
      const now = await shown(wallet.id, second.id);
      return isEnded(now) && now;
    },
    120_000,
  );
  expect([end.status, await nonceOf(end.txHash), await countOf(wallet)]).toEqual(['Confirmed', 1, 2]);
  expect((await shown(wallet.id, first.id)).txHash).toBeUndefined();
  const { items } = ok(await admin.get(`/wallets/${wallet.id}/transactions`)) as { readonly items: readonly Shown[] };
  expect(items).toMatchObject([{ details: { madeByService: true }, replacementId: first.id, status: 'Confirmed' }]);
});

test('S6: a lying node reports a fee that uses up the balance: nothing is claimed or signed until the fee is below the approved ceiling', async () => {
  const wallet = await fundedWallet(service, admin);
  // A transaction offers twice the base fee. With the false base fee this offer uses up nearly the whole balance.
  await service.rpc('anvil_setBalance', [wallet.address, hexOf(2n * PRICE_MAX * 21_000n + 10n ** 16n)]);
  const eating = hexOf(PRICE_MAX);
  node.lies.set('eth_feeHistory', (truth) => {
    const told = truth as { readonly baseFeePerGas: readonly string[] };
    return { ...told, baseFeePerGas: told.baseFeePerGas.map(() => eating) };
  });
  const held = await begun(wallet, { amount: '7' }, ({ status }) => status === 'Executing');
  await waitUntil('the ceiling', async () => (await stageOf(wallet.id, held.id)) === 'FeesAboveCeiling');
  expect(await shown(wallet.id, held.id)).not.toHaveProperty('details');
  expect(await countOf(wallet)).toBe(0);
  ok(await admin.change('PUT', `/wallets/${wallet.id}/transfers/${held.id}/abort`));
  node.lies.clear();
  const next = await ended(admin, wallet.id, (await send(admin, wallet.id)).id);
  expect([next.status, await nonceOf(next.txHash)]).toEqual(['Confirmed', 0]);
  expect(BigInt(next.fee ?? '0')).toBeLessThan(networkOf('EthereumSepolia').feeCeilingUnits);
});

test('S8: a transfer that waits for approval does not hold a nonce: later transfers confirm, and after approval it uses the next nonce', async () => {
  const wallet = await fundedWallet(service, admin);
  const group = { name: 'Finance', quorum: 1, approvers: {}, initiatorCanApprove: true };
  const policy = {
    name: 'More than a dollar',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'TransactionAmountLimit', configuration: { limit: 1, currency: 'USD' } },
    action: { kind: 'RequestApproval', approvalGroups: [group] },
    filters: { walletId: { in: [wallet.id] } },
  };
  ok(await admin.change('POST', '/v2/policies', policy));
  const held = await send(admin, wallet.id, { amount: '1000000000000000' });
  expect(held.status).toBe('Pending');
  const later = await Promise.all(['8', '9'].map((amount) => send(admin, wallet.id, { amount })));
  for (const { id } of later) expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
  expect(await countOf(wallet)).toBe(2);
  ok(await admin.change('POST', `/v2/policy-approvals/${held.approvalId}/decisions`, { value: 'Approved' }));
  const end = await ended(admin, wallet.id, held.id);
  expect([end.status, await nonceOf(end.txHash)]).toEqual(['Confirmed', 2]);
});

test('a fee increase above the ceiling is never signed: the replacement waits, and the original confirms when fees have fallen', async () => {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const first = await send(admin, wallet.id, { amount: '7' });
  await service.rpc('anvil_setNextBlockBaseFeePerGas', [hexOf(PRICE_MAX)]);
  await service.rpc('evm_mine', []);
  const bump = admin.change('POST', `/wallets/${wallet.id}/transfers/${first.id}/speed-up`);
  const { replacementId = '' } = await until(wallet.id, first.id, (now) => now.replacementId !== undefined);
  await waitUntil('the ceiling', async () => {
    const answer = await admin.get(`/wallets/${wallet.id}/transactions/${replacementId}/explain`);
    return (ok(answer) as { readonly stage: string }).stage === 'FeesAboveCeiling';
  });
  expect((await shown(wallet.id, replacementId)).txHash).toBeUndefined();
  await service.rpc('anvil_setNextBlockBaseFeePerGas', [hexOf(10_000_000n)]);
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({ status: 'Confirmed', txHash: first.txHash });
  expect(await until(wallet.id, replacementId, isEnded)).toMatchObject({
    status: 'Failed',
    reason: `Replaced: ${first.id} was included in its place as ${first.txHash}`,
  });
  expect([await countOf(wallet), (await bump).status]).toEqual([1, 200]);
});
