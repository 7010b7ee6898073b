import { readdirSync, readFileSync } from 'node:fs';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, holdPolicy, ok, send } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

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
  'after %s while a transfer waits for approval, it is approved and confirms',
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
