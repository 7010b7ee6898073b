import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, holdPolicy, ok, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(400_000);

let service: Service;
beforeAll(async () => {
  service = await createService();
  await service.start();
});
afterAll(() => service?.close());

/** The processes that have this data folder in their environment. */
function processesOf(dataFolder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const state = /State:\s+(\w)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return state !== 'Z' && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(dataFolder);
      } catch {
        return false;
      }
    });
}

test.each(['SIGINT', 'SIGKILL'] as const)(
  'a transfer that waits for approval while the service is stopped by %s is approved afterwards and confirms',
  async (signal) => {
    const admin = service.client('admin');
    const wallet = await fundedWallet(service, admin);
    const sent = await send(admin, wallet.id);
    expect((await ended(admin, wallet.id, sent.id)).status).toBe('Confirmed');
    await holdPolicy(admin, wallet.id, {}, 4_320);
    const held = await send(admin, wallet.id, { amount: '77' });
    expect(held.status).toBe('Pending');

    const code = await service.stop(signal);
    if (signal === 'SIGINT') expect(code).toBe(0);
    await waitUntil('every process to be gone', () => processesOf(service.dataFolder).length === 0);

    await service.start();
    const again = service.client('approver');
    expect(ok(await again.get(`/wallets/${wallet.id}/transfers/${sent.id}`))).toMatchObject({
      status: 'Confirmed',
      txHash: sent.txHash,
    });
    expect(await service.rpc('eth_getTransactionByHash', [sent.txHash])).toMatchObject({ hash: sent.txHash });
    ok(await again.change('POST', `/v2/policy-approvals/${held.approvalId}/decisions`, { value: 'Approved' }));
    expect((await ended(again, wallet.id, held.id)).status).toBe('Confirmed');
  },
);

const ENDS = ['Confirmed', 'Failed', 'Rejected'];

type FreezeBody = {
  readonly id: string;
  readonly status: string;
  readonly dateSignerTold?: string;
  readonly dateSignerReleased?: string;
};
type Change = { readonly id: string; readonly approvalId: string };

const freezeOf = async (client: Client, id: string) => ok(await client.get(`/freezes/${id}`)) as FreezeBody;
const stateOf = async (client: Client, wallet: WalletBody, { id }: TransferBody) =>
  (ok(await client.get(`/wallets/${wallet.id}/transfers/${id}`)) as TransferBody).status;
const nonceOf = (wallet: WalletBody) => service.rpc('eth_getTransactionCount', [wallet.address, 'latest']);
const decide = async (client: Client, approvalId: string | undefined, value: string) =>
  ok(await client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value }));

// This test runs last: its policy on policies would also hold the policies that the other tests create.
test('an approved transfer of a frozen wallet waits, even after a restart, until the release of the wallet is approved too', async () => {
  const [admin, approver] = [service.client('admin'), service.client('approver')];
  const wallet = await fundedWallet(service, admin);
  await holdPolicy(admin, wallet.id, { approvers: { userId: { in: [service.userId('approver')] } } });
  ok(
    await admin.change('POST', '/v2/policies', {
      name: 'Another person lets go',
      activityKind: 'Policies:Modify',
      rule: { kind: 'AlwaysTrigger', configuration: {} },
      action: {
        kind: 'RequestApproval',
        approvalGroups: [{ name: 'Security', quorum: 1, approvers: { userId: { in: [service.userId('approver')] } } }],
      },
    }),
  );
  const held = await send(admin, wallet.id);
  expect(held.status).toBe('Pending');

  const target = { kind: 'Wallet', id: wallet.id };
  const freeze = ok(await admin.change('POST', '/freezes', { target, reason: 'The approver’s laptop is gone' })) as FreezeBody;
  const refused = await admin.change('POST', `/wallets/${wallet.id}/transfers`, {
    kind: 'Native',
    to: wallet.address,
    amount: '1',
  });
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { id: 'TargetFrozen', details: { freezeId: freeze.id, target } } },
  });
  await waitUntil('the signer to apply the freeze', async () => (await freezeOf(admin, freeze.id)).dateSignerTold !== undefined);
  await decide(approver, held.approvalId, 'Approved');
  await waitUntil('the approval to be processed', async () => (await stateOf(admin, wallet, held)) !== 'Pending');

  await service.stop('SIGKILL');
  await service.start();
  const [again, other] = [service.client('admin'), service.client('approver')];
  expect(service.log()).toContain('1 freezes are in force');
  expect(ENDS).not.toContain(await stateOf(again, wallet, held));
  expect(await nonceOf(wallet)).toBe('0x0');

  const asked = await again.change('DELETE', `/freezes/${freeze.id}`);
  expect(asked).toMatchObject({ status: 202, body: { kind: 'Freeze', operationKind: 'Delete', entityId: freeze.id } });
  expect((await freezeOf(again, freeze.id)).status).toBe('Active');
  await decide(other, (asked.body as Change).approvalId, 'Approved');
  expect((await ended(again, wallet.id, held.id)).status).toBe('Confirmed');
  expect(await nonceOf(wallet)).toBe('0x1');
  const released = await waitUntil('the signer to release the freeze', async () => {
    const now = await freezeOf(again, freeze.id);
    return now.dateSignerReleased !== undefined && now;
  });
  expect(released).toMatchObject({ status: 'Released', releasedBy: (asked.body as Change).id });
});
