import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, ok, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

let service: Service;
let admin: Client;
beforeAll(async () => {
  service = await createService();
  await service.start();
  admin = service.client('admin');
});
afterAll(() => service?.close());
afterEach(async () => {
  await service.rpc('strongroom_setMining', [true]);
});

type Explained = { readonly stage: string; readonly hindrance: { readonly detail: string } | null; readonly sentences: string[] };
const explained = async (walletId: string, id: string) =>
  ok(await admin.get(`/wallets/${walletId}/transfers/${id}/explain`)) as Explained;

test('what the node has dropped confirms, all of it', async () => {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const sent: TransferBody[] = [];
  for (let n = 0; n < 12; n += 1) sent.push(await send(admin, wallet.id, { amount: '1' }));
  for (const { txHash } of sent) if (txHash) await service.rpc('anvil_dropTransaction', [txHash]);
  await service.rpc('strongroom_setMining', [true]);
  for (const { id } of sent) expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
});

test('a price below the base fee is raised within what was approved', async () => {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const first = await send(admin, wallet.id, { amount: '1' });
  const block = async () => {
    await service.rpc('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
    await service.rpc('evm_mine', []);
  };
  let troubled: Explained | undefined;
  const end = await waitUntil(
    'the end',
    async () => {
      await block();
      const now = await explained(wallet.id, first.id);
      if (now.stage === 'LaneBlocked') troubled = now;
      const transfer = ok(await admin.get(`/wallets/${wallet.id}/transfers/${first.id}`)) as TransferBody;
      return ['Failed', 'Confirmed'].includes(transfer.status) && transfer;
    },
    120_000,
  );
  expect(troubled?.hindrance?.detail).toBe('Underpriced');
  expect(end).toMatchObject({ status: 'Failed', reason: expect.stringMatching(/^Replaced: /) });
  expect(await service.rpc('eth_getTransactionCount', [wallet.address, 'latest'])).toBe('0x1');
});
