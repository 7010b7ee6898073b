import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, ok, send, type WalletBody } from '../support/story';
import { CUSTODIAL, NON_CUSTODIAL, ORIGINATOR, WEBHOOK_SECRET } from '../support/travel-rule';

jest.setTimeout(240_000);

let service: JoinedService;
let admin: Client;
beforeAll(async () => {
  service = await joinService();
  admin = service.client('admin');
  ok(await admin.change('PUT', '/integrations/TravelRule', { apiKey: 'key-of-the-trial', webhookSecret: WEBHOOK_SECRET }));
});
afterAll(() => service?.close());

async function tell(script: object): Promise<void> {
  const url = `${service.firstRun().vendorsUrl}/scripts/travel-rule`;
  const { status } = await fetch(url, { method: 'PUT', body: JSON.stringify({ script }) });
  expect(status).toBe(200);
}

/** A wallet with a policy under which each transfer needs an answer to its message within this number of seconds. */
async function guardedWallet(seconds: number, clearSeconds?: number): Promise<WalletBody> {
  const wallet = await fundedWallet(service, admin);
  const clear = clearSeconds === undefined ? {} : { autoClearAfterDeliveredTimeoutSeconds: clearSeconds };
  const configuration = { vendor: 'TravelRuleVendor', autoTriggerTimeoutSeconds: seconds, ...clear };
  ok(
    await admin.change('POST', '/v2/policies', {
      name: 'Tell who is behind it',
      activityKind: 'Wallets:Sign',
      rule: { kind: 'TravelRuleTransactionPrescreening', configuration },
      action: { kind: 'Block' },
      filters: { walletId: { in: [wallet.id] } },
    }),
  );
  return wallet;
}

const nonceOf = async ({ address }: WalletBody) => Number(await service.rpc('eth_getTransactionCount', [address, 'latest']));

test('a transfer with an accepted message is sent, and the log does not contain the names of the people in the message', async () => {
  await tell({ outcome: 'Accepted' });
  const wallet = await guardedWallet(600);
  const { id } = await send(admin, wallet.id, { travelRule: CUSTODIAL });
  const transfer = await ended(admin, wallet.id, id);
  expect(transfer).toMatchObject({ status: 'Confirmed', requestBody: { travelRule: CUSTODIAL } });
  expect(service.log()).not.toContain(ORIGINATOR);
});

test('a transfer to a wallet without a custodian is sent when the vendor has accepted it', async () => {
  await tell({ outcome: 'Accepted' });
  const wallet = await guardedWallet(600);
  const { id } = await send(admin, wallet.id, { travelRule: NON_CUSTODIAL });
  expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
});

test('a counterparty that declines, or a message that the vendor rejects, blocks the transfer', async () => {
  for (const [script, reason] of [
    [{ outcome: 'Declined' }, 'Tell who is behind it'],
    [{ valid: false }, 'Tell who is behind it'],
  ] as const) {
    await tell(script);
    const wallet = await guardedWallet(600);
    const { id } = await send(admin, wallet.id, { travelRule: CUSTODIAL });
    expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Rejected', reason: expect.stringContaining(reason) });
    expect(await nonceOf(wallet)).toBe(0);
  }
});

test('a counterparty that stays silent blocks the transfer when the time limit expires', async () => {
  await tell({ outcome: 'Silent' });
  const wallet = await guardedWallet(4);
  const { id } = await send(admin, wallet.id, { travelRule: CUSTODIAL });
  expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Rejected' });
  expect(await nonceOf(wallet)).toBe(0);
});

test('if the policy allows it, a transfer continues after its message was delivered but not answered', async () => {
  await tell({ outcome: 'Silent', deliveredAfterMs: 100 });
  const wallet = await guardedWallet(600, 3);
  const { id } = await send(admin, wallet.id, { travelRule: CUSTODIAL });
  expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
});

test('an answer that is signed with a wrong secret is rejected', async () => {
  await tell({ outcome: 'Accepted', callbacks: 'WrongSignature' });
  const wallet = await guardedWallet(4);
  const { id } = await send(admin, wallet.id, { travelRule: CUSTODIAL });
  expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Rejected' });
  expect(await nonceOf(wallet)).toBe(0);
});

test('a transfer without information about people is blocked at once, and no message is sent to the vendor', async () => {
  await tell({});
  const wallet = await guardedWallet(600);
  const before = await askedOf();
  expect(await send(admin, wallet.id)).toMatchObject({ status: 'Rejected' });
  expect(await askedOf()).toBe(before);
});

async function askedOf(): Promise<number> {
  const response = await fetch(`${service.firstRun().vendorsUrl}/requests/travel-rule`);
  return ((await response.json()) as { readonly items: readonly unknown[] }).items.length;
}
