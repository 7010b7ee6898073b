import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client as Postgres } from 'pg';
import { HOUSEKEEPING_DUTIES, type HousekeepingDuty } from '../../domain/housekeeping';
import { freePort } from '../../local/free-port';
import { dataConverterOf } from '../../platform/payload-codec';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, holdPolicy, ok, RECIPIENT, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

const RETENTION_SECONDS = 3 * 86_400;

let service: Service;
let ports: { readonly TEMPORAL_PORT: string; readonly POSTGRES_PORT: string };
beforeAll(async () => {
  ports = { TEMPORAL_PORT: String(await freePort()), POSTGRES_PORT: String(await freePort()) };
  service = await createService(ports);
  await service.start();
});
afterAll(() => service?.close());

async function withTemporal<T>(work: (client: TemporalClient) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: `127.0.0.1:${ports.TEMPORAL_PORT}` });
  try {
    const dataKek = Buffer.from(readFileSync(join(service.dataFolder, 'secrets', 'data-kek'), 'utf8'), 'hex');
    return await work(new TemporalClient({ connection, dataConverter: dataConverterOf(dataKek, 'default') }));
  } finally {
    await connection.close();
  }
}

/** Makes every transfer appear eleven minutes older, which only the superuser can do. */
async function grow(): Promise<void> {
  const secrets = JSON.parse(readFileSync(join(service.dataFolder, 'secrets', 'database.json'), 'utf8')) as { superuser: string };
  const at = { host: '127.0.0.1', port: Number(ports.POSTGRES_PORT), user: 'postgres', password: secrets.superuser };
  const client = new Postgres({ ...at, database: 'strongroom' });
  await client.connect();
  await client.query(`UPDATE transfers SET date_requested = date_requested - interval '11 minutes'`);
  await client.end();
}

/** Runs a housekeeping duty (a scheduled task) now, and returns the end status of its workflow. */
const keep = (duty: HousekeepingDuty) =>
  withTemporal(async (client) => {
    const schedule = client.schedule.getHandle(`house:${duty}`);
    const before = (await schedule.describe()).info.numActionsTaken;
    await schedule.trigger();
    const run = await waitUntil(`the run of ${duty}`, async () => {
      const { numActionsTaken, recentActions } = (await schedule.describe()).info;
      return numActionsTaken > before && recentActions.at(-1);
    });
    const { workflowId } = run.action.workflow;
    return waitUntil(`the end of ${workflowId}`, async () => {
      const { status } = await client.workflow.getHandle(workflowId).describe();
      return status.name !== 'RUNNING' && status.name;
    });
  });

/** The decrypted summary of a workflow, which an operator reads. */
const summaryOf = (id: string) =>
  withTemporal(async (client) => (await client.workflow.getHandle(id).describe()).staticSummary());

test('every housekeeping duty runs on its schedule, and Temporal keeps ended workflows for three days', async () => {
  for (const duty of Object.keys(HOUSEKEEPING_DUTIES) as HousekeepingDuty[])
    expect([duty, await keep(duty)]).toEqual([duty, 'COMPLETED']);
  const { config } = await withTemporal((client) => client.workflowService.describeNamespace({ namespace: 'default' }));
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(RETENTION_SECONDS);
});

test('if Temporal loses all its data, no transfer is lost: each is paid once, and votes cast in the meantime are taken into account', async () => {
  const [admin, approver] = [service.client('admin'), service.client('approver')];
  const wallet = await fundedWallet(service, admin);
  await holdPolicy(admin, wallet.id, { approvers: { userId: { in: [service.userId('approver')] } } });
  const [decided, undecided] = [await send(admin, wallet.id), await send(admin, wallet.id)];
  const shown = `: 0.000000000000001 ETH to ${RECIPIENT}`;
  expect(await summaryOf(undecided.id)).toBe(`Transfer on EthereumSepolia from wallet ${wallet.id}${shown}`);
  const approve = async ({ approvalId }: TransferBody) =>
    ok(await approver.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' }));

  await service.stop();
  rmSync(join(service.dataFolder, 'temporal'), { recursive: true });
  await service.start();
  await approve(decided);
  await grow();
  expect(await keep('reconcile-transfers')).toBe('COMPLETED');
  expect(await ended(admin, wallet.id, decided.id)).toMatchObject({ status: 'Confirmed' });
  expect(await summaryOf(undecided.id)).toBe(`Transfer on EthereumSepolia from wallet ${wallet.id}, started again${shown}`);
  await approve(undecided);
  expect(await ended(admin, wallet.id, undecided.id)).toMatchObject({ status: 'Confirmed' });
  expect(await service.rpc('eth_getTransactionCount', [wallet.address, 'latest'])).toBe('0x2');
  expect(service.log()).toContain('an open transfer had no workflow: started again');
});
