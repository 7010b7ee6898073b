import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Client as Postgres } from 'pg';
import { createDispatcher } from '../../../application/dispatch/dispatcher';
import { recordWords } from '../../../application/dispatch/start-words';
import type { WaitingRow } from '../../../entities/outbox/relay.store';
import { createLogger } from '../../../platform/logger';
import { createPayloadCodec, dataConverterOf } from '../../../platform/payload-codec';
import { serveCodec } from '../../../worker/codec-endpoint';
import { registerSearchAttributes } from '../../../worker/search-attributes';
import { type ReplacementApi, startReplacementApi } from '../../support/replacement-api';
import { openLocal } from '../../support/temporal';
import { RECIPIENT } from '../../support/transfer-api';
import { START_LIMIT_MS } from '../../support/wallet-api';

const DATA_KEY = Buffer.alloc(32, 7);
const NAMESPACE = 'default';
/** Both values are canaries: only the record may contain them in plain text. */
const AMOUNT = '700000000000000431';
const SHOWN = '0.700000000000000431 ETH';

let api: ReplacementApi;
let environment: TestWorkflowEnvironment;
let relay: Postgres;
let codec: Server;
beforeAll(async () => {
  [api, environment] = await Promise.all([startReplacementApi(), openLocal()]);
  await registerSearchAttributes(environment.nativeConnection, NAMESPACE);
  relay = new Postgres({ connectionString: api.api.database.relayUrl });
  await relay.connect();
  const logger = createLogger('worker', 'silent');
  codec = await serveCodec(createPayloadCodec(DATA_KEY, NAMESPACE), { port: 0, host: '127.0.0.1', uiOrigins: [], logger });
}, 2 * START_LIMIT_MS);
afterAll(async () => {
  codec?.close();
  if (codec) await once(codec, 'close');
  await relay?.end();
  await environment?.teardown();
  await api?.close();
});

/** The outbox row that starts the record's workflow, as the relay's role reads the row, and the same row as text. */
async function startOf(id: string): Promise<{ readonly row: WaitingRow; readonly text: string }> {
  const { rows } = await relay.query<WaitingRow & { text: string }>(
    `SELECT o.org_id AS "orgId", o.id, o.shard, o.kind, o.aggregate_id AS "aggregateId", o.dedupe_key AS "dedupeKey", o.routing, o.attempts,
            o::text AS text FROM outbox o WHERE o.aggregate_id = $1 AND o.kind = 'start'`,
    [id],
  );
  const [row] = rows;
  if (!row) throw new Error(`no start of ${id}`);
  return { row, text: row.text };
}

/** The workflow's description as the server stores it. */
async function described(id: string): Promise<readonly Payload[]> {
  const { executionConfig } = await environment.client.workflowService.describeWorkflowExecution({
    namespace: NAMESPACE,
    execution: { workflowId: id },
  });
  const { summary, details } = executionConfig?.userMetadata ?? {};
  return [summary, details].filter((one) => one !== null && one !== undefined);
}

/** The description as an operator sees it: Temporal's web page decodes through the codec endpoint. */
async function decoded(payloads: readonly Payload[]): Promise<readonly string[]> {
  const { port } = codec.address() as AddressInfo;
  const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  const body = payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
    data: base64(data),
  }));
  const answer = await fetch(`http://127.0.0.1:${port}/decode`, { method: 'POST', body: JSON.stringify({ payloads: body }) });
  const { payloads: plain } = (await answer.json()) as { payloads: { data: string }[] };
  return plain.map(({ data }) => String(JSON.parse(Buffer.from(data, 'base64').toString('utf8'))));
}

/** Starts the workflow from the outbox row, as a worker's relay does. */
async function startedBy(row: WaitingRow): Promise<readonly Payload[]> {
  const { connection } = environment;
  const client = new Client({ connection, namespace: NAMESPACE, dataConverter: dataConverterOf(DATA_KEY, NAMESPACE) });
  await createDispatcher(client, { wordsOf: recordWords(api.api.database.db) }).carryOut(row.orgId, row);
  return described(row.aggregateId);
}

const { Payload: Message } = temporal.api.common.v1;
const bytesOf = (payloads: readonly Payload[]) =>
  Buffer.concat(payloads.map((one) => Message.encode(one).finish())).toString('latin1');

test('an operator reads amount and recipient in Temporal; the outbox row and Temporal’s own store do not contain them', async () => {
  const id = await api.standing('transfers', 'Broadcasted', { amount: AMOUNT });
  const { row, text } = await startOf(id);
  for (const canary of [AMOUNT, SHOWN.slice(0, 12), RECIPIENT.slice(2).toLowerCase()])
    expect(text.toLowerCase()).not.toContain(canary);

  const stored = await startedBy(row);
  for (const canary of [AMOUNT, SHOWN, RECIPIENT]) expect(bytesOf(stored)).not.toContain(canary);
  const [summary, details] = await decoded(stored);
  expect(summary).toBe(`Transfer on EthereumSepolia from wallet ${api.wallet.id}: ${SHOWN} to ${RECIPIENT}`);
  expect(details?.split('\n')).toEqual(expect.arrayContaining([`* In smallest units: ${AMOUNT}`, `* Recipient: ${RECIPIENT}`]));
});

test('the summary of a speed-up shows the repeated payment, and that of a cancellation shows no payment', async () => {
  const first = await api.standing('transfers', 'Broadcasted', { amount: AMOUNT });
  const faster = api.admin.client.change('POST', api.path(first, 'speed-up'));
  await api.newestSent(first);
  const { id: fasterId } = (await faster).body as { id: string };
  const sped = await startOf(fasterId);
  expect(sped.text).not.toContain(AMOUNT);
  expect((await decoded(await startedBy(sped.row)))[0]).toBe(
    `SpeedUpTransaction of ${first} on EthereumSepolia: ${SHOWN} to ${RECIPIENT}`,
  );

  const other = await api.standing('transfers', 'Broadcasted', { amount: AMOUNT });
  const cancelled = (await api.admin.client.change('POST', api.path(other, 'cancel'))).body as { id: string };
  const cancel = await startOf(cancelled.id);
  const [summary, details] = await decoded(await startedBy(cancel.row));
  expect(summary).toBe(`CancelTransaction of ${other} on EthereumSepolia`);
  expect(details).toContain('* Amount: nothing');
});
