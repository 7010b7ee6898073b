import { FAUCET } from '../chains/evm/anvil';
import { someAddress } from '../support/address-watch-api';
import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ok } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

type Coverage = {
  readonly liveFromBlock?: number;
  readonly backfill?: {
    readonly status: string;
    readonly movements: number;
    readonly cause: string;
    readonly withoutRoot: number;
  };
};
type Item = { readonly status: string; readonly txHash: string; readonly value: string };

let service: JoinedService;
let sink: WebhookSink;
let admin: Client;
beforeAll(async () => {
  service = await joinService();
  sink = await startWebhookSink();
  admin = service.client('admin');
  ok(await admin.change('POST', '/webhooks', { url: sink.url, events: ['*'] }));
});
afterAll(async () => {
  await sink?.close();
  await service?.close();
});

const pathOf = (id: string) => `/address-watches/${id}`;
const coverage = async (id: string) => ok(await admin.get(`${pathOf(id)}/history/backfill`)) as Coverage;
const history = async (id: string) => (ok(await admin.get(`${pathOf(id)}/history`)) as { readonly items: readonly Item[] }).items;
const pay = (to: string, value: string) => service.rpc('eth_sendTransaction', [{ from: FAUCET, to, value }]) as Promise<string>;
const heightOf = async (txHash: string) => {
  const receipt = await waitUntil(
    'the payment to be in a block',
    async () => (await service.rpc('eth_getTransactionReceipt', [txHash])) ?? undefined,
  );
  return Number((receipt as { readonly blockNumber: string }).blockNumber);
};
const isScannedTo = (height: number) =>
  waitUntil(
    `block ${height} to be final`,
    async () => {
      const { scan } = ok(await admin.get('/networks/EthereumSepolia/scan')) as {
        readonly scan?: { readonly confirmedTo: number };
      };
      return (scan?.confirmedTo ?? 0) >= height;
    },
    90_000,
  );
const isDone = (id: string, cause: string) =>
  waitUntil(
    'the back-fill to be done',
    async () => {
      const found = await coverage(id);
      return found.backfill?.cause === cause && found.backfill.status === 'Done' && found;
    },
    120_000,
  );

test('payments from before a watch, or while it was archived, are read later; roots prove the blocks, and no webhook is sent', async () => {
  // Without any watch, the network would not be read.
  ok(await admin.change('POST', '/address-watches', { network: 'EthereumSepolia', address: someAddress() }));
  const address = someAddress();
  const earlier = await pay(address, '0x1');
  const height = await heightOf(earlier);
  await isScannedTo(height);
  const watch = () => admin.change('POST', '/address-watches', { network: 'EthereumSepolia', address });
  const { id } = ok(await watch()) as { readonly id: string };
  // The chain of the local trial mines only after a transaction, and then as many blocks as are necessary to make it final.
  await pay(someAddress(), '0x3');
  await waitUntil('the watch to be live', async () => (await coverage(id)).liveFromBlock !== undefined, 60_000);
  expect(await history(id)).toEqual([]);
  ok(await admin.change('POST', `${pathOf(id)}/history/backfill`, { fromBlock: height }));
  const done = await isDone(id, 'Requested');
  expect(done).toMatchObject({ liveFromBlock: height, backfill: { movements: 1, withoutRoot: 0 } });
  expect(await history(id)).toEqual([expect.objectContaining({ txHash: earlier, status: 'Confirmed', value: '1' })]);

  ok(await admin.change('DELETE', pathOf(id), {}));
  const archived = await pay(address, '0x2');
  await isScannedTo(await heightOf(archived));
  ok(await watch());
  await pay(someAddress(), '0x4');
  expect(await isDone(id, 'Revived')).toMatchObject({ liveFromBlock: height, backfill: { movements: 1 } });
  expect((await history(id)).map(({ txHash, status }) => [txHash, status])).toEqual([
    [archived, 'Confirmed'],
    [earlier, 'Confirmed'],
  ]);
  for (const txHash of [earlier, archived]) expect(sink.deliveries.filter(({ raw }) => raw.includes(txHash))).toEqual([]);
});
