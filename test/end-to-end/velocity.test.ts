import type { Rule } from '../../domain/policies';
import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { fundedWallet, ok, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(400_000);

const AT_ONCE = 50;
const FITTING = 7;
/** Three dollars at the price of the local trial. */
const THREE_DOLLARS = (10n ** 15n).toString();

let service: JoinedService;
let admin: Client;
beforeAll(async () => {
  service = await joinService();
  admin = service.client('admin');
});
afterAll(() => service?.close());

/** A wallet with a policy that blocks every transfer on which this rule triggers. */
async function limitedWallet(rule: Rule): Promise<string> {
  const wallet = await fundedWallet(service, admin);
  const policy = { name: rule.kind, activityKind: 'Wallets:Sign', rule, action: { kind: 'Block' } };
  ok(await admin.change('POST', '/v2/policies', { ...policy, filters: { walletId: { in: [wallet.id] } } }));
  return wallet.id;
}

/** Sends `AT_ONCE` transfers at once, and returns how many were rejected and how many confirmed. */
async function sendAtOnce(walletId: string) {
  const sent = await Promise.all(Array.from({ length: AT_ONCE }, () => send(admin, walletId, { amount: THREE_DOLLARS })));
  const ends = await waitUntil(
    'an end of each',
    async () => {
      const found = await Promise.all(sent.map(({ id }) => admin.get(`/wallets/${walletId}/transfers/${id}`)));
      const statuses = found.map((answer) => (ok(answer) as TransferBody).status);
      return statuses.every((status) => ['Confirmed', 'Failed', 'Rejected'].includes(status)) && statuses;
    },
    240_000,
  );
  return {
    rejected: ends.filter((end) => end === 'Rejected').length,
    confirmed: ends.filter((end) => end === 'Confirmed').length,
  };
}

test.each<[string, Rule]>([
  ['count', { kind: 'TransactionCountVelocity', configuration: { limit: FITTING, timeframe: 60 } }],
  ['value', { kind: 'TransactionAmountVelocity', configuration: { limit: FITTING * 3, currency: 'USD', timeframe: 60 } }],
])('of fifty simultaneous transfers, exactly as many pass as a limit of %s allows', async (_of, rule) => {
  const walletId = await limitedWallet(rule);
  expect(await sendAtOnce(walletId)).toEqual({ rejected: AT_ONCE - FITTING, confirmed: FITTING });
  // Rejected transfers have released their reservations, so the limit of the time window is exactly used up.
  expect(await send(admin, walletId, { amount: THREE_DOLLARS })).toMatchObject({ status: 'Rejected' });
});
