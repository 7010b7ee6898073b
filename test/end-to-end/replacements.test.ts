import { decodeEventLog, decodeFunctionData, encodeFunctionData, parseAbi } from 'viem/utils';
import { CONFIDENTIAL_TOKEN } from '../../local/confidential-token';
import type { Client } from '../support/client';
import { fullLane } from '../support/full-lane';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, ok, RECIPIENT, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

const FAUCET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
type Shown = TransferBody & { readonly replacementId?: string; readonly requestBody: { readonly kind: string } };

let service: JoinedService;
let admin: Client;
beforeAll(async () => {
  service = await joinService();
  admin = service.client('admin');
});
afterAll(() => service?.close());
afterEach(() => service.rpc('strongroom_setMining', [true]));

const act = async (walletId: string, id: string, verb: 'abort' | 'cancel' | 'speed-up') => {
  const form = id.startsWith('tx-') ? 'transactions' : 'transfers';
  return admin.change(verb === 'abort' ? 'PUT' : 'POST', `/wallets/${walletId}/${form}/${id}/${verb}`);
};
const transactionOf = async (walletId: string, id: string) =>
  ok(await admin.get(`/wallets/${walletId}/transactions/${id}`)) as Shown;
const endOf = (walletId: string, id: string) =>
  waitUntil(
    `the end of ${id}`,
    async () => {
      const shown = await transactionOf(walletId, id);
      return ['Confirmed', 'Failed', 'Rejected'].includes(shown.status) && shown;
    },
    90_000,
  );
/** A wallet with a transfer that the node has received but does not mine. */
async function stuck() {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const { id } = await send(admin, wallet.id, { amount: '1234' });
  const first = await waitUntil('the transfer to be sent', async () => {
    const shown = ok(await admin.get(`/wallets/${wallet.id}/transfers/${id}`)) as TransferBody;
    return shown.status === 'Broadcasted' && shown;
  });
  return { wallet, first };
}

test('a stuck transfer is sped up and its replacement confirms: money moves once, and the two requests refer to each other', async () => {
  const { wallet, first } = await stuck();
  const faster = ok(await act(wallet.id, first.id, 'speed-up')) as Shown;
  expect(faster).toMatchObject({
    status: 'Broadcasted',
    replacementId: first.id,
    requestBody: { kind: 'SpeedUpTransaction', txHash: first.txHash },
  });
  expect(await act(wallet.id, first.id, 'speed-up')).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
  await service.rpc('strongroom_setMining', [true]);
  expect(await endOf(wallet.id, faster.id)).toMatchObject({ status: 'Confirmed' });
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({
    status: 'Failed',
    reason: `Replaced: ${faster.id} was included in its place as ${faster.txHash}`,
    replacementId: faster.id,
  });
  expect(await service.rpc('eth_getTransactionCount', [wallet.address, 'latest'])).toBe('0x1');
});

test('a stuck transfer is cancelled: its nonce is used up, nothing is paid, and the next transfer confirms', async () => {
  const { wallet, first } = await stuck();
  const none = ok(await act(wallet.id, first.id, 'cancel')) as Shown;
  expect(none).toMatchObject({ status: 'Broadcasted', requestBody: { kind: 'CancelTransaction' } });
  await service.rpc('strongroom_setMining', [true]);
  expect(await endOf(wallet.id, none.id)).toMatchObject({ status: 'Confirmed' });
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({ status: 'Failed' });
  const sent = (await service.rpc('eth_getTransactionByHash', [none.txHash])) as { readonly to: string; readonly value: string };
  expect(sent).toMatchObject({ to: wallet.address.toLowerCase(), value: '0x0' });
  expect(await ended(admin, wallet.id, (await send(admin, wallet.id)).id)).toMatchObject({ status: 'Confirmed' });
});

test('a transfer may still confirm after its cancellation was broadcast', async () => {
  const { wallet, first } = await stuck();
  const raw = await service.rpc('eth_getRawTransactionByHash', [first.txHash]);
  const none = ok(await act(wallet.id, first.id, 'cancel')) as Shown;
  await service.rpc('anvil_dropTransaction', [none.txHash]);
  await service.rpc('eth_sendRawTransaction', [raw]).catch((error: Error) => {
    // The follower, which watches sent transactions, might have sent the bytes again in the meantime.
    if (!error.message.includes('already imported')) throw error;
  });
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({ status: 'Confirmed' });
  expect(await endOf(wallet.id, none.id)).toMatchObject({
    status: 'Failed',
    reason: `Replaced: ${first.id} was included in its place as ${first.txHash}`,
  });
});

test('a transfer that waits for earlier transactions of the wallet is aborted at once, and nothing reaches the chain', async () => {
  const { wallet } = await stuck();
  const later = await Promise.all(Array.from({ length: 20 }, () => send(admin, wallet.id, { amount: '1' })));
  const lane = await fullLane(admin, wallet.id, 1 + later.length);
  const [waiting] = lane.waiting;
  if (!waiting) throw new Error('nothing waits for its turn');
  expect(ok(await act(wallet.id, waiting.id, 'abort'))).toMatchObject({
    id: waiting.id,
    status: 'Failed',
    reason: 'Aborted on request before anything was signed',
  });
  expect(await act(wallet.id, lane.sent[0]?.id ?? '', 'abort')).toMatchObject({
    status: 409,
    body: { error: { id: 'WrongState' } },
  });
  await service.rpc('strongroom_setMining', [true]);
  for (const { id } of later.filter(({ id }) => id !== waiting.id))
    expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
});

const HIDING = parseAbi([
  'function mint(address to, uint64 units)',
  'function revealed(address account) view returns (uint64)',
  'function confidentialTransfer(address to, bytes32 handle, bytes inputProof)',
  'event ConfidentialTransfer(address indexed from, address indexed to, bytes32 indexed amount)',
]);
type Hex = `0x${string}`;
type Receipt = { readonly logs: readonly { readonly address: string; readonly data: Hex; readonly topics: [Hex, ...Hex[]] }[] };
type Hidden = TransferBody & { readonly details: { readonly amountMoved: string; readonly encryptedAmount: string } };

const revealed = async (account: string) => {
  const data = encodeFunctionData({ abi: HIDING, functionName: 'revealed', args: [account as Hex] });
  return BigInt((await service.rpc('eth_call', [{ to: CONFIDENTIAL_TOKEN, data }, 'latest'])) as string);
};
const hiddenIn = async (txHash: string | undefined) => {
  const { input } = (await service.rpc('eth_getTransactionByHash', [txHash])) as { readonly input: Hex };
  return decodeFunctionData({ abi: HIDING, data: input }).args;
};

test('an encrypted transfer is sped up with the same ciphertext and moves once, and its amount is never reported as known', async () => {
  const wallet = await fundedWallet(service, admin);
  const data = encodeFunctionData({ abi: HIDING, functionName: 'mint', args: [wallet.address as Hex, 1_000n] });
  await service.rpc('eth_sendTransaction', [{ from: FAUCET, to: CONFIDENTIAL_TOKEN, data }]);
  await waitUntil('the first units', async () => (await revealed(wallet.address)) === 1_000n);
  const before = await revealed(RECIPIENT);

  await service.rpc('strongroom_setMining', [false]);
  const asked = { kind: 'Erc7984', contract: CONFIDENTIAL_TOKEN };
  const first = (await send(admin, wallet.id, { ...asked, amount: '700' })) as Hidden;
  expect(first).toMatchObject({ status: 'Broadcasted', details: { amountMoved: 'Unknown' } });
  const carried = await hiddenIn(first.txHash);
  const faster = ok(await act(wallet.id, first.id, 'speed-up')) as Shown & Hidden;
  expect(faster).toMatchObject({ status: 'Broadcasted', details: { encryptedAmount: first.details.encryptedAmount } });
  expect(carried).toEqual([RECIPIENT, first.details.encryptedAmount, expect.stringMatching(/^0x0101/)]);
  expect(await hiddenIn(faster.txHash)).toEqual(carried);
  await service.rpc('strongroom_setMining', [true]);
  expect(await endOf(wallet.id, faster.id)).toMatchObject({ status: 'Confirmed', details: { amountMoved: 'Unknown' } });
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({ status: 'Failed', replacementId: faster.id });
  expect([await revealed(wallet.address), (await revealed(RECIPIENT)) - before]).toEqual([300n, 700n]);
  const { logs } = (await service.rpc('eth_getTransactionReceipt', [faster.txHash])) as Receipt;
  expect(logs.map((log) => decodeEventLog({ abi: HIDING, ...log }))).toMatchObject([
    { eventName: 'ConfidentialTransfer', args: { from: wallet.address, to: RECIPIENT } },
  ]);

  // An encrypted transfer above the balance moves nothing, and neither the chain nor the service can see that.
  const more = await send(admin, wallet.id, { ...asked, amount: '301' });
  expect(await ended(admin, wallet.id, more.id)).toMatchObject({ status: 'Confirmed', details: { amountMoved: 'Unknown' } });
  expect(await revealed(wallet.address)).toBe(300n);
});
