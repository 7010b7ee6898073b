import { FAUCET } from '../chains/evm/anvil';
import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { stolenWallet } from '../support/stolen-wallet';
import { ended, fundedWallet, ok, send, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

const KEY_A = 'key-of-kyt-a-in-this-trial';

type Item = {
  readonly status: string;
  readonly direction: string;
  readonly txHash: string;
  readonly value: string;
  readonly fee?: string;
};

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

const historyOf = async ({ id }: WalletBody) =>
  (ok(await admin.get(`/wallets/${id}/history`)) as { items: readonly Item[] }).items;
const pay = (to: string, value: string) => service.rpc('eth_sendTransaction', [{ from: FAUCET, to, value }]) as Promise<string>;
const confirmed = (wallet: WalletBody, txHash: string | undefined) =>
  waitUntil('the movement to be final', async () => {
    const found = (await historyOf(wallet)).filter((item) => item.txHash === txHash && item.status === 'Confirmed');
    return found.length > 0 && found;
  });
const kindsAbout = (txHash: string) =>
  sink.deliveries.filter(({ raw }) => raw.includes(txHash)).map(({ envelope: { kind, version } }) => `${kind} ${version}`);

test('a payment from a stranger is in the history of the wallet, and the webhooks about it arrive in order', async () => {
  const wallet = await fundedWallet(service, admin);
  const txHash = await pay(wallet.address, '0x2a');
  expect(await confirmed(wallet, txHash)).toEqual([
    expect.objectContaining({ direction: 'In', value: '42', from: FAUCET, to: wallet.address, symbol: 'ETH' }),
  ]);
  const kinds = ['wallet.blockchain_event.transfer.included 1', 'wallet.blockchainevent.detected 2'];
  await waitUntil('both webhooks', () => kindsAbout(txHash).length === kinds.length);
  expect(kindsAbout(txHash)).toEqual(kinds);
  const delivery = sink.deliveries.find(({ raw }) => raw.includes(txHash));
  expect(delivery?.envelope.data).toMatchObject({
    blockchainEvent: { walletId: wallet.id, status: 'Included' },
    wallet: { id: wallet.id },
  });
});

test("a transfer between two wallets of the service is in both histories, with the fee only in the sender's history", async () => {
  const [from, to] = [await fundedWallet(service, admin), await fundedWallet(service, admin)];
  const transfer = await ended(admin, from.id, (await send(admin, from.id, { to: to.address, amount: '77' })).id);
  const [out] = await confirmed(from, transfer.txHash);
  const [into] = await confirmed(to, transfer.txHash);
  expect(out).toMatchObject({ direction: 'Out', value: '77', fee: transfer.fee, metadata: { fee: { symbol: 'ETH' } } });
  expect(into).toMatchObject({ direction: 'In', value: '77' });
  expect(into).not.toHaveProperty('fee');
});

test('the policies on incoming transactions are applied to a final payment, and a finding is reported', async () => {
  ok(await admin.change('PUT', '/integrations/KytA', { apiKey: KEY_A }));
  const url = `${service.firstRun().vendorsUrl}/scripts/kyt-a`;
  await fetch(url, { method: 'PUT', body: JSON.stringify({ script: { alerts: [{ level: 'SEVERE', categoryId: 3 }] } }) });
  const wallet = await fundedWallet(service, admin);
  const configuration = {
    alerts: { alertLevel: 'HIGH', categoryIds: [3] },
    exposures: { direct: { categoryIds: [7] } },
    fallbackBehaviours: {
      skipUnscreenableTransaction: false,
      skipUnsupportedNetwork: false,
      skipUnsupportedAsset: false,
      skipKytAFailure: false,
    },
  };
  ok(
    await admin.change('POST', '/v2/policies', {
      name: 'Screen what comes in',
      activityKind: 'Wallets:IncomingTransaction',
      rule: { kind: 'KytATransactionScreening', configuration },
      action: { kind: 'NoAction' },
      filters: { walletId: { in: [wallet.id] } },
    }),
  );
  const txHash = await pay(wallet.address, '0x63');
  const told = await waitUntil(
    'the finding',
    () => sink.deliveries.find(({ raw, envelope }) => envelope.kind === 'policy.triggered' && raw.includes(txHash)),
    60_000,
  );
  expect(told.envelope.data).toMatchObject({
    policyEvaluation: { triggered: true, activity: { kind: 'Wallets:IncomingTransaction', blockchainEvent: { value: '99' } } },
  });
});

test('the scan of the network is complete, and its blocks are proved by their roots', async () => {
  expect(ok(await admin.get('/networks/EthereumSepolia/scan'))).toMatchObject({
    isRead: true,
    scan: { isComplete: true, lastProof: 'Root' },
  });
});

test('a transaction that a thief signs with the key of an idle wallet freezes the key (S18)', async () => {
  const { wallet, thief } = await stolenWallet(service, admin);
  const call = { chainId: 11_155_111, type: 'eip1559', to: FAUCET, value: 42n, nonce: 0, gas: 21_000n } as const;
  const raw = await thief.signTransaction({ ...call, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n });
  const txHash = (await service.rpc('eth_sendRawTransaction', [raw])) as string;
  const active = async () =>
    (ok(await admin.get('/freezes?targetKind=Key&status=Active')) as { items: readonly { readonly reason: string }[] }).items;
  const freeze = await waitUntil(
    'the freeze',
    async () => (await active()).find(({ reason }) => reason.includes(txHash)) ?? false,
  );
  expect(freeze).not.toHaveProperty('requester');
  expect(
    await admin.change('POST', `/wallets/${wallet.id}/transfers`, { kind: 'Native', to: FAUCET, amount: '1' }),
  ).toMatchObject({
    status: 409,
    body: { error: { id: 'TargetFrozen' } },
  });
  expect(await confirmed(wallet, txHash)).toEqual([expect.objectContaining({ direction: 'Out', value: '42' })]);
  const honest = await fundedWallet(service, admin);
  const sent = await send(admin, honest.id);
  const { txHash: own } = await ended(admin, honest.id, sent.id);
  await confirmed(honest, own);
  expect((await active()).filter(({ reason }) => reason.includes(honest.id))).toEqual([]);
});
