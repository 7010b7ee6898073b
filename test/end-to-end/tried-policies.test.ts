import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, ok, RECIPIENT, send } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

let service: JoinedService;
beforeAll(async () => {
  service = await joinService();
});
afterAll(() => service?.close());

type Made = { readonly id: string };
type Backtest = Made & { readonly status: string; readonly counts: { readonly judged: number; readonly blocked: number } };
type Items = { readonly items: readonly { readonly activityId: string }[] };

test('a whitelist that lists an entry of the registry allows payments to the entry’s address until the entry is deleted', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  const entry = { name: 'Payee', network: 'EthereumSepolia', address: RECIPIENT };
  const { id: entryId } = ok(await admin.change('POST', '/registry/addresses', entry)) as Made;
  ok(
    await admin.change('POST', '/v2/policies', {
      name: 'Known payees alone',
      activityKind: 'Wallets:Sign',
      rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [], registryAddressIds: [entryId] } },
      action: { kind: 'Block' },
      filters: { walletId: { in: [wallet.id] } },
    }),
  );
  const asked = { activityKind: 'Wallets:Sign', walletId: wallet.id, to: RECIPIENT, valueUsd: '1' };
  expect(ok(await admin.post('/v2/policies/evaluate', asked))).toMatchObject({ outcome: 'Cleared' });
  const paid = await send(admin, wallet.id);
  expect(await ended(admin, wallet.id, paid.id)).toMatchObject({ status: 'Confirmed' });
  ok(await admin.change('DELETE', `/registry/addresses/${entryId}`));
  expect(ok(await admin.post('/v2/policies/evaluate', asked))).toMatchObject({ outcome: 'Blocked' });
  const refused = await send(admin, wallet.id);
  expect(await ended(admin, wallet.id, refused.id)).toMatchObject({ status: 'Rejected' });
});

test('a backtest and a shadow policy report the same finding about the same transfers, and neither stops a transfer', async () => {
  const admin = service.client('admin');
  const wallet = await fundedWallet(service, admin);
  const policy = {
    name: 'Two an hour',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'TransactionCountVelocity', configuration: { limit: 2, timeframe: 60 } },
    action: { kind: 'Block' },
    filters: { walletId: { in: [wallet.id] } },
  };
  const { id: policyId } = ok(await admin.change('POST', '/v2/policies', { ...policy, mode: 'Shadow' })) as Made;
  const from = new Date(Date.now() - 60_000).toISOString();
  const sent = [await send(admin, wallet.id), await send(admin, wallet.id), await send(admin, wallet.id)];
  for (const { id } of sent) expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });

  const proposal = { policy, from, to: new Date(Date.now() + 60_000).toISOString(), walletId: wallet.id };
  const { id } = ok(await admin.change('POST', '/v2/policies/backtests', proposal)) as Backtest;
  const at = `/v2/policies/backtests/${id}`;
  const done = await waitUntil(
    'the backtest to finish',
    async () => {
      const backtest = ok(await admin.get(at)) as Backtest;
      return backtest.status === 'Done' && backtest;
    },
    60_000,
  );
  expect(done.counts).toMatchObject({ judged: 3, passed: 2, blocked: 1 });
  const found = ok(await admin.get(`${at}/results`)) as Items;
  const shadowed = ok(await admin.get(`/v2/policies/${policyId}/shadow-results?triggered=true`)) as Items;
  expect(found.items.map(({ activityId }) => activityId)).toEqual(shadowed.items.map(({ activityId }) => activityId));
  expect(found.items).toHaveLength(1);
});
