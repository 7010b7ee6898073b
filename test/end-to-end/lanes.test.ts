import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, ok, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

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

type Explained = { readonly stage: string; readonly hindrance: { readonly detail: string } | null; readonly sentences: string[] };
const explained = async (walletId: string, id: string) =>
  ok(await admin.get(`/wallets/${walletId}/transfers/${id}/explain`)) as Explained;

test('all transactions that the node dropped are sent again and confirm', async () => {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  const sent: TransferBody[] = [];
  for (let n = 0; n < 12; n += 1) sent.push(await send(admin, wallet.id, { amount: '1' }));
  for (const { txHash } of sent) if (txHash) await service.rpc('anvil_dropTransaction', [txHash]);
  await service.rpc('strongroom_setMining', [true]);
  for (const { id } of sent) expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
});

test('a gas price below the base fee is raised within the approved fee, with and without a sponsor', async () => {
  const [wallet, sponsor, sponsored] = [
    await fundedWallet(service, admin),
    await fundedWallet(service, admin),
    await fundedWallet(service, admin),
  ];
  const { id: feeSponsorId } = ok(await admin.change('POST', '/fee-sponsors', { walletId: sponsor.id })) as {
    readonly id: string;
  };
  // The service reads the tips of the last ten blocks. Another test file might have paid a tip above the base fee below.
  await service.rpc('anvil_mine', ['0xa']);
  await service.rpc('strongroom_setMining', [false]);
  const first = await send(admin, wallet.id, { amount: '1' });
  const paidFor = await send(admin, sponsored.id, { amount: '1', feeSponsorId });
  const block = async () => {
    await service.rpc('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
    await service.rpc('evm_mine', []);
  };
  const troubles = new Map<string, string | undefined>();
  const endOf = async (walletId: string, id: string) => {
    const now = await explained(walletId, id);
    if (now.stage === 'LaneBlocked') troubles.set(id, now.hindrance?.detail);
    const transfer = ok(await admin.get(`/wallets/${walletId}/transfers/${id}`)) as TransferBody;
    return ['Failed', 'Confirmed'].includes(transfer.status) && transfer;
  };
  const ends = await waitUntil(
    'both ends',
    async () => {
      await block();
      const [one, other] = [await endOf(wallet.id, first.id), await endOf(sponsored.id, paidFor.id)];
      return one && other && [one, other];
    },
    120_000,
  );
  const replaced = { status: 'Failed', reason: expect.stringMatching(/^Replaced: /) };
  expect(ends).toMatchObject([replaced, replaced]);
  expect([...troubles]).toEqual(
    expect.arrayContaining([
      [first.id, 'Underpriced'],
      [paidFor.id, 'Underpriced'],
    ]),
  );
  const counts = [wallet, sponsor].map(({ address }) => service.rpc('eth_getTransactionCount', [address, 'latest']));
  expect(await Promise.all(counts)).toEqual(['0x1', '0x1']);
  const { items } = ok(await admin.get(`/wallets/${sponsored.id}/transactions`)) as { readonly items: readonly TransferBody[] };
  expect(items).toMatchObject([{ status: 'Confirmed', replacementId: paidFor.id, details: { madeByService: true } }]);
});
