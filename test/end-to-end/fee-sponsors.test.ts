import token from '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json';
import type { Address } from 'viem';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import { ENTRY_POINT } from '../../chains/evm/user-operations';
import { CONFIDENTIAL_TOKEN } from '../../local/confidential-token';
import { FAUCET } from '../chains/evm/anvil';
import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { stolenWallet } from '../support/stolen-wallet';
import { ended, fundedWallet, ok, RECIPIENT, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { faultAt, refusal } from '../support/wallet-api';

jest.setTimeout(240_000);

const HIDING = parseAbi(['function mint(address, uint64)', 'function revealed(address) view returns (uint64)']);
type Listed = { readonly items: readonly { readonly requestId: string; readonly fee: string; readonly sponsoreeId: string }[] };

let service: JoinedService;
let admin: Client;
beforeAll(async () => {
  service = await joinService();
  admin = service.client('admin');
});
afterAll(() => service?.close());
afterEach(async () => {
  await service.rpc('strongroom_setMining', [true]);
});

const balanceOf = async (address: string) => BigInt(String(await service.rpc('eth_getBalance', [address, 'latest'])));
const countOf = (address: string) => service.rpc('eth_getTransactionCount', [address, 'latest']);
const setBalance = (address: string, units: bigint) => service.rpc('anvil_setBalance', [address, `0x${units.toString(16)}`]);

/** Creates a sponsor with ten ether and a wallet with a thousand wei. */
async function sponsored(by?: WalletBody): Promise<{ sponsor: WalletBody; wallet: WalletBody; feeSponsorId: string }> {
  const sponsor = by ?? (await fundedWallet(service, admin));
  const wallet = await fundedWallet(service, admin);
  await setBalance(wallet.address, 1_000n);
  const { id } = ok(await admin.change('POST', '/fee-sponsors', { walletId: sponsor.id })) as { readonly id: string };
  return { sponsor, wallet, feeSponsorId: id };
}

test('a sponsor pays the fees of two transfers of a wallet without money for fees, and delegates the wallet once', async () => {
  const { sponsor, wallet, feeSponsorId } = await sponsored();
  const before = await balanceOf(RECIPIENT);
  const first = await send(admin, wallet.id, { amount: '600', feeSponsorId });
  expect(first).toMatchObject({ status: 'Broadcasted', feeSponsorId });
  const firstEnd = await ended(admin, wallet.id, first.id);
  expect(firstEnd).toMatchObject({ status: 'Confirmed', txHash: first.txHash });
  const second = await send(admin, wallet.id, { amount: '400', feeSponsorId });
  const secondEnd = await ended(admin, wallet.id, second.id);
  expect(secondEnd).toMatchObject({ status: 'Confirmed' });
  expect([await balanceOf(wallet.address), (await balanceOf(RECIPIENT)) - before]).toEqual([0n, 1_000n]);
  // The wallet uses one nonce for its authorization, and no nonce for its operations. The sponsor uses two nonces.
  expect([await countOf(wallet.address), await countOf(sponsor.address)]).toEqual(['0x1', '0x2']);
  const { items } = ok(await admin.get(`/fee-sponsors/${feeSponsorId}/fees`)) as Listed;
  expect(items.map(({ requestId, fee, sponsoreeId }) => [requestId, fee, sponsoreeId])).toEqual([
    [second.id, secondEnd.fee, wallet.id],
    [first.id, firstEnd.fee, wallet.id],
  ]);
  const paid = BigInt(firstEnd.fee ?? '0') + BigInt(secondEnd.fee ?? '0');
  expect(await balanceOf(sponsor.address)).toBe(10_000_000_000_000_000_000n - paid);
});

test('a wallet without any coins sends an encrypted amount at its sponsor’s expense', async () => {
  const { wallet, feeSponsorId } = await sponsored();
  const call = (functionName: 'mint' | 'revealed', args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi: HIDING, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
    return { from: FAUCET, to: CONFIDENTIAL_TOKEN, data };
  };
  const held = async () => BigInt(String(await service.rpc('eth_call', [call('revealed', [wallet.address]), 'latest'])));
  await service.rpc('eth_sendTransaction', [call('mint', [wallet.address, 1_000n])]);
  await waitUntil('the units', async () => (await held()) === 1_000n);
  const sent = await send(admin, wallet.id, { kind: 'Erc7984', contract: CONFIDENTIAL_TOKEN, amount: '400', feeSponsorId });
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed', details: { amountMoved: 'Unknown' } });
  expect(await held()).toBe(600n);
});

/** Reverts unless `tx.origin` is the entry point, so that a simulation succeeds and the sponsor's transaction fails. */
const TRAP = '0x00000000000000000000000000000000000071ab';
const TRAP_CODE = `0x3273${ENTRY_POINT.slice(2)}14601d575f5ffd5b00`;

/** Deploys a token with a supply of a thousand units, all of them held by `owner`. */
async function tokenOf(owner: string) {
  const parameters = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
  const data = token.bytecode + encodeAbiParameters(parameters, ['Test', 'TST', 1_000n, owner as `0x${string}`]).slice(2);
  const txHash = await service.rpc('eth_sendTransaction', [{ from: FAUCET, data, gas: '0x4c4b40' }]);
  const { contractAddress: to } = await waitUntil(
    'the token',
    async () => ((await service.rpc('eth_getTransactionReceipt', [txHash])) ?? false) as { contractAddress: string } | false,
  );
  const call = (functionName: string, args: readonly unknown[]) => encodeFunctionData({ abi: token.abi, functionName, args });
  return {
    moving: (units: bigint) => ({ to, data: call('transfer', [RECIPIENT, units]) }),
    held: async () => BigInt(String(await service.rpc('eth_call', [{ to, data: call('balanceOf', [RECIPIENT]) }, 'latest']))),
  };
}

const broadcast = (walletId: string, body: object) => admin.change('POST', `/wallets/${walletId}/transactions`, body);
const endedTransaction = (walletId: string, id: string) =>
  waitUntil(
    `the end of ${id}`,
    async () => {
      const now = ok(await admin.get(`/wallets/${walletId}/transactions/${id}`)) as TransferBody;
      return ['Confirmed', 'Failed', 'Rejected'].includes(now.status) && now;
    },
    90_000,
  );

test('calls of several kinds are carried out together; if the second reverts, nothing moves and the sponsor pays', async () => {
  const { wallet, feeSponsorId } = await sponsored();
  const { moving, held } = await tokenOf(wallet.address);
  const before = await balanceOf(RECIPIENT);
  const ask = async (userOperations: readonly object[]) =>
    ok(await broadcast(wallet.id, { kind: 'UserOperations', userOperations, feeSponsorId })) as TransferBody;
  const both = await ask([{ to: RECIPIENT, value: '600' }, moving(300n)]);
  expect(both).toMatchObject({ status: 'Broadcasted', txHash: expect.any(String) });
  expect(await endedTransaction(wallet.id, both.id)).toMatchObject({ status: 'Confirmed' });
  expect([(await balanceOf(RECIPIENT)) - before, await held()]).toEqual([600n, 300n]);

  await service.rpc('anvil_setCode', [TRAP, TRAP_CODE]);
  const neither = await ask([
    { to: RECIPIENT, value: '100' },
    { to: TRAP, data: '0x01' },
  ]);
  const end = await endedTransaction(wallet.id, neither.id);
  expect(end).toMatchObject({ status: 'Failed', reason: 'The transaction was included and reverted' });
  expect([(await balanceOf(RECIPIENT)) - before, await balanceOf(wallet.address)]).toEqual([600n, 400n]);
  const { items } = ok(await admin.get(`/fee-sponsors/${feeSponsorId}/fees`)) as Listed;
  expect(items.map(({ requestId, fee }) => [requestId, fee])).toContainEqual([neither.id, end.fee]);
});

const replace = async (walletId: string, id: string, verb: 'cancel' | 'speed-up') =>
  ok(await admin.change('POST', `/wallets/${walletId}/transfers/${id}/${verb}`)) as TransferBody;

test('a sponsored transfer is sped up or cancelled, and only one of the two operations is ever carried out', async () => {
  const { sponsor, wallet, feeSponsorId } = await sponsored();
  const before = await balanceOf(RECIPIENT);
  await service.rpc('strongroom_setMining', [false]);
  const slow = await send(admin, wallet.id, { amount: '300', feeSponsorId });
  const fast = await replace(wallet.id, slow.id, 'speed-up');
  expect(fast).toMatchObject({ status: 'Broadcasted', replacementId: slow.id });
  await service.rpc('strongroom_setMining', [true]);
  expect(await endedTransaction(wallet.id, fast.id)).toMatchObject({ status: 'Confirmed', txHash: fast.txHash });
  expect(await ended(admin, wallet.id, slow.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/^Replaced: /),
  });

  await service.rpc('strongroom_setMining', [false]);
  const unwanted = await send(admin, wallet.id, { amount: '200', feeSponsorId });
  const { input } = (await service.rpc('eth_getTransactionByHash', [unwanted.txHash])) as { readonly input: string };
  const cancel = await replace(wallet.id, unwanted.id, 'cancel');
  await service.rpc('strongroom_setMining', [true]);
  expect(await endedTransaction(wallet.id, cancel.id)).toMatchObject({ status: 'Confirmed' });
  expect(await ended(admin, wallet.id, unwanted.id)).toMatchObject({ status: 'Failed' });
  const stranger = { from: FAUCET, to: ENTRY_POINT, data: input };
  await expect(service.rpc('eth_call', [stranger, 'latest'])).rejects.toThrow(/AA25/);
  expect([(await balanceOf(RECIPIENT)) - before, await countOf(sponsor.address)]).toEqual([300n, '0x2']);
});

test('if a stranger carries out an operation before its cancellation, the operation is Confirmed and the cancellation fails', async () => {
  const { wallet, feeSponsorId } = await sponsored();
  await ended(admin, wallet.id, (await send(admin, wallet.id, { amount: '1', feeSponsorId })).id);
  const before = await balanceOf(RECIPIENT);
  await service.rpc('strongroom_setMining', [false]);
  const wanted = await send(admin, wallet.id, { amount: '200', feeSponsorId });
  const { input: data } = (await service.rpc('eth_getTransactionByHash', [wanted.txHash])) as { readonly input: string };
  const cancel = await replace(wallet.id, wanted.id, 'cancel');
  const prices = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x174876e800' };
  const theirs = await service.rpc('eth_sendTransaction', [{ from: FAUCET, to: ENTRY_POINT, data, gas: '0x1e8480', ...prices }]);
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, wanted.id)).toMatchObject({ status: 'Confirmed', txHash: theirs });
  const lost = await endedTransaction(wallet.id, cancel.id);
  expect(lost).toMatchObject({ status: 'Failed', fee: expect.any(String), reason: expect.stringMatching(/executed nothing/) });
  expect((await balanceOf(RECIPIENT)) - before).toBe(200n);
});

type Freezes = {
  readonly items: readonly { readonly id: string; readonly reason: string; readonly dateSignerReleased?: string }[];
};
const freezes = async (status: string) => (ok(await admin.get(`/freezes?targetKind=Key&status=${status}`)) as Freezes).items;

/** Releases the sponsor's key, which is frozen because a transaction from outside the service used a nonce of the key (S18). */
async function releaseLoose({ id }: WalletBody): Promise<void> {
  const active = async () => (await freezes('Active')).find(({ reason }) => reason.includes(id)) ?? false;
  const freeze = await waitUntil('the freeze of the sponsor', active, 90_000);
  ok(await admin.change('DELETE', `/freezes/${freeze.id}`));
  const released = async () => (await freezes('Released')).some((one) => one.id === freeze.id && one.dateSignerReleased);
  await waitUntil('the signer to release the freeze', async () => (await released()) ?? false);
}

test('an operation stays open if its sponsor’s nonce was used elsewhere; its cancellation is broadcast once the sponsor’s key is released', async () => {
  const { wallet: stolen, thief } = await stolenWallet(service, admin);
  const { sponsor, wallet, feeSponsorId } = await sponsored(stolen);
  await ended(admin, wallet.id, (await send(admin, wallet.id, { amount: '1', feeSponsorId })).id);
  const before = await balanceOf(RECIPIENT);
  await service.rpc('strongroom_setMining', [false]);
  const open = await send(admin, wallet.id, { amount: '200', feeSponsorId });
  await service.rpc('anvil_dropTransaction', [open.txHash]);
  // This price is above that of the dropped transaction, because the service might have sent that transaction again by now.
  const price = { type: 'legacy', chainId: 11_155_111, gas: 21_000n, gasPrice: 2n * 10n ** 11n } as const;
  const other = await thief.signTransaction({ ...price, to: sponsor.address as Address, nonce: 1 });
  await service.rpc('eth_sendRawTransaction', [other]);
  await service.rpc('strongroom_setMining', [true]);
  const said = await waitUntil(
    'the open operation',
    async () => {
      await service.rpc('evm_mine', []);
      const now = ok(await admin.get(`/wallets/${wallet.id}/transfers/${open.id}/explain`)) as { stage: string; summary: string };
      return now.stage === 'LaneBlocked' && now;
    },
    90_000,
  );
  expect(said.summary).toMatch(/did not execute the operation/);
  await releaseLoose(sponsor);
  const cancel = await replace(wallet.id, open.id, 'cancel');
  expect(await endedTransaction(wallet.id, cancel.id)).toMatchObject({ status: 'Confirmed' });
  expect(await ended(admin, wallet.id, open.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/^Replaced: /),
  });
  expect([(await balanceOf(RECIPIENT)) - before, await countOf(sponsor.address)]).toEqual([0n, '0x3']);
});

test('400: the sponsor is unknown, deactivated or the wallet itself; a transfer that a policy blocks is rejected', async () => {
  const { sponsor, wallet, feeSponsorId } = await sponsored();
  const ask = (walletId: string, id: string) =>
    admin.change('POST', `/wallets/${walletId}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '1', feeSponsorId: id });
  const fault = refusal(400, 'InvalidRequest', faultAt('body.feeSponsorId'));
  expect(await ask(wallet.id, 'fs-00000-00000-0000000000000000')).toMatchObject(fault);
  expect(await ask(sponsor.id, feeSponsorId)).toMatchObject(fault);
  await admin.change('PUT', `/fee-sponsors/${feeSponsorId}/deactivate`);
  expect(await ask(wallet.id, feeSponsorId)).toMatchObject(fault);
  await admin.change('PUT', `/fee-sponsors/${feeSponsorId}/activate`);
  ok(
    await admin.change('POST', '/v2/policies', {
      name: 'Nothing leaves',
      activityKind: 'Wallets:Sign',
      rule: { kind: 'AlwaysTrigger' },
      action: { kind: 'Block' },
      filters: { walletId: { in: [wallet.id] } },
    }),
  );
  expect(await ask(wallet.id, feeSponsorId)).toMatchObject({ status: 400, body: { error: { id: 'SponsoredBlocked' } } });
});
