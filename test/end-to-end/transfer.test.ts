import { SDK_METRICS } from '../support/known-metrics';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, holdPolicy, ok, RECIPIENT, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { isSigned, startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

/** An id of the service, an address or a hash. */
const WHOSE = /\b[a-z]{2,4}-[0-9a-z]{5}-[0-9a-z]{5}-[0-9a-z]{14,16}\b|0x[0-9a-fA-F]{8}/;

let service: Service;
let sink: WebhookSink;
beforeAll(async () => {
  // This file starts its own service, because a test reads the counters of the processes.
  service = await createService();
  await service.start();
  sink = await startWebhookSink();
});
afterAll(async () => {
  await sink?.close();
  await service?.close();
});

const historyOf = async (txHash: string | undefined) =>
  (await service.rpc('eth_getTransactionByHash', [txHash])) as { readonly nonce: string; readonly value: string };

test('a transfer that no policy holds is broadcast before the POST is answered, and confirms', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  const sent = await send(admin, wallet.id, { amount: '1234' });
  expect(sent).toMatchObject({
    status: expect.stringMatching(/^(Broadcasted|Confirmed)$/),
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({
    status: 'Confirmed',
    txHash: sent.txHash,
    fee: expect.stringMatching(/^\d+$/),
  });
  expect(BigInt((await historyOf(sent.txHash)).value)).toBe(1234n);
});

test('a held transfer waits, is approved by the second user, confirms, and its webhooks arrive signed and in order', async () => {
  const admin = service.client('admin');
  const approver = service.client('approver');
  const hook = ok(await admin.change('POST', '/webhooks', { url: sink.url, events: ['*'] })) as { id: string; secret: string };
  const wallet = await fundedWallet(service, admin);
  await holdPolicy(admin, wallet.id, { approvers: { userId: { in: [service.userId('approver')] } } });
  const held = await send(admin, wallet.id);
  expect(held).toMatchObject({ status: 'Pending', approvalId: expect.stringMatching(/^ap-/) });
  const own = await admin.change('POST', `/v2/policy-approvals/${held.approvalId}/decisions`, { value: 'Approved' });
  expect(own.status).toBe(403);
  ok(await approver.change('POST', `/v2/policy-approvals/${held.approvalId}/decisions`, { value: 'Approved' }));
  expect(await ended(admin, wallet.id, held.id)).toMatchObject({ status: 'Confirmed' });

  const kinds = await waitUntil('the last webhook', () => {
    const seen = sink.deliveries.filter(({ raw }) => raw.includes(held.id)).map(({ envelope }) => envelope.kind);
    return seen.includes('wallet.transfer.confirmed') && seen;
  });
  const transferKinds = kinds.filter((kind) => kind.startsWith('wallet.transfer'));
  expect(transferKinds).toEqual(['wallet.transfer.requested', 'wallet.transfer.broadcasted', 'wallet.transfer.confirmed']);
  expect(kinds).toEqual(expect.arrayContaining(['policy.triggered', 'policy.approval.pending', 'policy.approval.resolved']));
  expect(sink.deliveries.every((delivery) => isSigned(delivery, hook.secret))).toBe(true);
  ok(await admin.change('DELETE', `/webhooks/${hook.id}`));
});

test('the metrics of API, worker and SDK count the events of the tests, and contain no id, address or hash', async () => {
  const api = await service.scrape('API_METRICS_PORT');
  expect(api).toMatch(/^strongroom_http_request_duration_seconds_count\{operation="transferAsset",status="200"\} [1-9]/m);
  expect(api).toMatch(/^strongroom_http_errors_total\{code="Forbidden"\} [1-9]/m);
  const worker = await service.scrape('WORKER_METRICS_PORT');
  for (const line of [
    /^strongroom_transfers_ended_total\{state="Confirmed"\} [2-9]/m,
    /^strongroom_approvals_waiting 0$/m,
    /^strongroom_outbox_relayed_total\{kind="event"\} [1-9]/m,
    /^strongroom_outbox_shards_held 64$/m,
    /^strongroom_signer_up 1$/m,
    /^strongroom_signer_orders_total\{op="signTransfer",outcome="Done"\} [2-9]/m,
    /^strongroom_webhook_attempts_total\{attempt="first",outcome="Received",status_class="2xx"\} [1-9]/m,
    /^strongroom_follower_lag_seconds\{network="EthereumSepolia"\} \d/m,
    /^strongroom_rpc_request_duration_seconds_count\{network="EthereumSepolia",method="eth_sendRawTransaction",outcome="Answered"\} [2-9]/m,
    /^process_cpu_seconds_total /m,
  ])
    expect(worker).toMatch(line);
  const always = SDK_METRICS.names.filter((name) => !/fail|empty|no_task/.test(name));
  const sdk = await waitUntil('the recorded metric names of the SDK', async () => {
    const text = await service.scrape('SDK_METRICS_PORT');
    return always.every((name) => text.includes(`# TYPE ${name} `)) && text;
  });
  for (const text of [api, worker, sdk]) expect(text).not.toMatch(WHOSE);
});

test('fifty transfers at once from one wallet all confirm, with consecutive nonces', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  const sent = await Promise.all(
    Array.from({ length: 50 }, (_one, index) => send(admin, wallet.id, { amount: String(index + 1) })),
  );
  const all = await Promise.all(sent.map(({ id }) => ended(admin, wallet.id, id)));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['Confirmed']));
  const nonces = await Promise.all(all.map(async ({ txHash }) => Number((await historyOf(txHash)).nonce)));
  expect(nonces.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_one, index) => index));
});

test('fifty simultaneous calls with one externalId create one transfer, and a different request with that externalId gets a 409', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(admin, wallet.id, { externalId: 'invoice-7' })));
  const [first] = answers;
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  const path = `/wallets/${wallet.id}/transfers`;
  const other = await admin.change('POST', path, { kind: 'Native', to: RECIPIENT, amount: '1001', externalId: 'invoice-7' });
  expect(other).toMatchObject({
    status: 409,
    body: {
      error: {
        message: 'Conflicting transfer with same externalId',
        details: { duplicate: { id: first?.id, externalId: 'invoice-7' } },
      },
    },
  });
  const { items } = ok(await admin.get(path)) as { items: readonly TransferBody[] };
  expect(items).toHaveLength(1);
});

test('a transfer that the wallet cannot pay is refused, or fails before it is signed and leaves its nonce to the next transfer', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  const path = `/wallets/${wallet.id}/transfers`;
  const refused = await admin.change('POST', path, { kind: 'Native', to: RECIPIENT, amount: '11000000000000000000' });
  expect(refused).toMatchObject({ status: 400, body: { error: { id: 'TransferWouldFail' } } });
  await holdPolicy(admin, wallet.id, { initiatorCanApprove: true });
  const approved = async ({ id, approvalId }: TransferBody) => {
    ok(await admin.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' }));
    return ended(admin, wallet.id, id);
  };
  const held = await send(admin, wallet.id, { amount: '9000000000000000000' });
  await service.rpc('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000']);
  const poor = await approved(held);
  expect(poor).toMatchObject({ status: 'Failed', reason: expect.stringMatching(/balance does not cover/) });
  expect(poor.txHash).toBeUndefined();
  const next = await approved(await send(admin, wallet.id));
  expect(next.status).toBe('Confirmed');
  expect(Number((await historyOf(next.txHash)).nonce)).toBe(0);
});

test('a transfer waits while its network is down, and confirms when the network is back; it is signed only once', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_setDown', [true]);
  const waiting = await send(admin, wallet.id);
  expect(waiting.status).toBe('Executing');
  await service.rpc('strongroom_setDown', [false]);
  expect((await ended(admin, wallet.id, waiting.id)).status).toBe('Confirmed');
});

test('the same bytes are sent again after a node accepted and forgot a transaction', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  await service.rpc('strongroom_dropTransactions', [true]);
  const lost = await send(admin, wallet.id);
  expect(lost.txHash).toMatch(/^0x/);
  expect(await historyOf(lost.txHash)).toBeNull();
  await service.rpc('strongroom_dropTransactions', [false]);
  expect(await ended(admin, wallet.id, lost.id)).toMatchObject({ status: 'Confirmed', txHash: lost.txHash });
});
