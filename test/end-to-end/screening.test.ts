import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, ok, send, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

const KEY_A = 'key-of-kyt-a-in-this-trial';
const KEY_B = 'key-of-kyt-b-in-this-trial';
const CLOSED = { skipUnscreenableTransaction: false, skipUnsupportedNetwork: false, skipUnsupportedAsset: false };

let service: JoinedService;
let sink: WebhookSink;
let admin: Client;
beforeAll(async () => {
  service = await joinService();
  sink = await startWebhookSink();
  admin = service.client('admin');
  ok(await admin.change('POST', '/webhooks', { url: sink.url, events: ['policy.triggered'] }));
  ok(await admin.change('PUT', '/integrations/KytA', { apiKey: KEY_A }));
  ok(await admin.change('PUT', '/integrations/KytB', { apiKey: KEY_B }));
});
afterAll(async () => {
  await sink?.close();
  await service?.close();
});

async function tell(vendor: 'kyt-a' | 'kyt-b', instruction: object): Promise<void> {
  const url = `${service.firstRun().vendorsUrl}/scripts/${vendor}`;
  const { status } = await fetch(url, { method: 'PUT', body: JSON.stringify(instruction) });
  expect(status).toBe(200);
}

/** A wallet whose transfers are screened by this rule. */
async function screenedWallet(rule: object, action: 'Block' | 'NoAction'): Promise<WalletBody> {
  const wallet = await fundedWallet(service, admin);
  const filters = { walletId: { in: [wallet.id] } };
  const body = { name: 'Screen it', activityKind: 'Wallets:Sign', rule, action: { kind: action }, filters };
  ok(await admin.change('POST', '/v2/policies', body));
  return wallet;
}
const kytB = (skipKytBFailure: boolean) => ({
  kind: 'KytBTransactionPrescreening',
  configuration: { riskScoreThreshold: 50, fallbackBehaviours: { ...CLOSED, skipKytBFailure } },
});
const KYT_A = {
  kind: 'KytATransactionPrescreening',
  configuration: {
    alerts: { alertLevel: 'HIGH', categoryIds: [3] },
    exposures: { direct: { categoryIds: [7] } },
    addresses: { categoryIds: [9] },
    fallbackBehaviours: { ...CLOSED, skipKytAFailure: false },
  },
};
const outcomeOf = async (wallet: WalletBody) => (await ended(admin, wallet.id, (await send(admin, wallet.id)).id)).status;

test('a transfer with a score below the threshold is sent; a transfer with a score at the threshold is blocked before signing', async () => {
  const wallet = await screenedWallet(kytB(false), 'Block');
  await tell('kyt-b', { script: { riskScore: 49 } });
  expect(await outcomeOf(wallet)).toBe('Confirmed');
  await tell('kyt-b', { script: { riskScore: 50 } });
  expect(await outcomeOf(wallet)).toBe('Rejected');
  expect(Number(await service.rpc('eth_getTransactionCount', [wallet.address, 'latest']))).toBe(1);
});

test('a policy that only reports lets the transfer pass, and its webhook contains the finding of the vendor', async () => {
  await tell('kyt-a', { script: { pendingPolls: 1, alerts: [{ level: 'SEVERE', categoryId: 3 }] } });
  const wallet = await screenedWallet(KYT_A, 'NoAction');
  const { id } = await send(admin, wallet.id);
  expect((await ended(admin, wallet.id, id)).status).toBe('Confirmed');
  const told = await waitUntil('the event', () => sink.deliveries.find(({ raw }) => raw.includes(id)), 60_000);
  expect(told.envelope).toMatchObject({
    kind: 'policy.triggered',
    data: { policyEvaluation: { triggered: true, context: { screening: { result: { alerts: [{ level: 'SEVERE' }] } } } } },
  });
});

test.each([
  ['an alert below the level', 'Confirmed', { alerts: [{ level: 'MEDIUM', categoryId: 3 }] }],
  ['a direct exposure to the category', 'Rejected', { directExposures: [{ categoryId: 7 }] }],
  ['an address in a different category', 'Confirmed', { addresses: [{ categoryId: 8 }] }],
  ['an asset that the vendor does not support', 'Rejected', { refuses: 'UnsupportedAsset' }],
])('%s ends as %s', async (_title, status, script) => {
  await tell('kyt-a', { script });
  expect(await outcomeOf(await screenedWallet(KYT_A, 'Block'))).toBe(status);
});

test('if the vendor refuses the service, the transfer is blocked unless the policy skips failures; the vendor’s key is not logged', async () => {
  await tell('kyt-b', { behaviour: { kind: 'Error', status: 401 } });
  expect(await outcomeOf(await screenedWallet(kytB(false), 'Block'))).toBe('Rejected');
  expect(await outcomeOf(await screenedWallet(kytB(true), 'Block'))).toBe('Confirmed');
  expect(service.log()).not.toMatch(new RegExp(`${KEY_A}|${KEY_B}`));
});

test('a policy that needs a vendor is refused while the vendor is not connected', async () => {
  ok(await admin.change('DELETE', '/integrations/KytB', {}));
  const body = { name: 'Nobody to ask', activityKind: 'Wallets:Sign', rule: kytB(false), action: { kind: 'Block' } };
  expect((await admin.change('POST', '/v2/policies', body)).status).toBe(400);
});
