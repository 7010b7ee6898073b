import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, ok, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

type Shown = TransferBody & { readonly replacementId?: string; readonly requestBody: { readonly kind: string } };

let service: Service;
let admin: Client;
beforeAll(async () => {
  service = await createService();
  await service.start();
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
/** A wallet with a transfer that the node knows and does not mine. */
async function stuck() {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  return { wallet, first: await send(admin, wallet.id, { amount: '1234' }) };
}

test('a stuck transfer is sped up and its faster self confirms: one spend, and each names the other', async () => {
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

test('a stuck transfer is cancelled: its nonce is used up, nothing is paid, and the next one confirms', async () => {
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

test('the first bytes may still win after a cancellation was sent', async () => {
  const { wallet, first } = await stuck();
  const raw = await service.rpc('eth_getRawTransactionByHash', [first.txHash]);
  const none = ok(await act(wallet.id, first.id, 'cancel')) as Shown;
  await service.rpc('anvil_dropTransaction', [none.txHash]);
  await service.rpc('eth_sendRawTransaction', [raw]);
  await service.rpc('strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({ status: 'Confirmed' });
  expect(await endOf(wallet.id, none.id)).toMatchObject({
    status: 'Failed',
    reason: `Replaced: ${first.id} was included in its place as ${first.txHash}`,
  });
});

test('what waits for its turn in the lane is aborted at once, and nothing reaches the chain', async () => {
  const { wallet } = await stuck();
  const later = await Promise.all(Array.from({ length: 20 }, () => send(admin, wallet.id, { amount: '1' })));
  const waiting = later.find(({ status }) => status === 'Executing');
  if (!waiting) throw new Error(`nothing waits: ${later.map(({ status }) => status).join(', ')}`);
  expect(ok(await act(wallet.id, waiting.id, 'abort'))).toMatchObject({
    id: waiting.id,
    status: 'Failed',
    reason: 'Aborted on request before anything was signed',
  });
  expect(await act(wallet.id, later[0]?.id ?? '', 'abort')).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
  await service.rpc('strongroom_setMining', [true]);
  for (const { id } of later.filter(({ id }) => id !== waiting.id))
    expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
});
