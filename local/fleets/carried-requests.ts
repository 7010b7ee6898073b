import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError, type Client } from '../client';
import { CeremonyError } from './trial';

const WAIT_MS = 120_000;
const POLL_MS = 250;
const PAGE = 100;

const Archive = z.object({
  input: z.object({
    task: z.object({ requests: z.array(z.object({ operationId: z.string(), requestId: z.string(), order: z.string() })) }),
  }),
});
const Order = z.object({ keyId: z.string() });
const Output = z.object({
  outputs: z.record(
    z.string(),
    z.object({ result: z.union([z.object({ success: z.unknown() }), z.object({ fail: z.object({ message: z.string() }) })]) }),
  ),
});
const Wallets = z.object({
  items: z.array(z.object({ id: z.string(), signingKey: z.object({ id: z.string() }) })),
  nextPageToken: z.string().optional(),
});
const Explained = z.object({ stage: z.string(), summary: z.string() });
type Explained = z.output<typeof Explained>;

/** The requests that `explain` finds by a wallet, by the prefix of their ids. */
const OF_WALLETS: Readonly<Record<string, string>> = { xfr: 'transfers', tx: 'transactions' };

async function walletsOf(client: Client, keyId: string): Promise<readonly string[]> {
  const found: string[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? '' : `&paginationToken=${encodeURIComponent(token)}`;
    const page = await client.get(`/wallets?limit=${PAGE}${query}`, Wallets);
    found.push(...page.items.filter(({ signingKey }) => signingKey.id === keyId).map(({ id }) => id));
    token = page.nextPageToken;
  } while (token !== undefined);
  return found;
}

async function pathOfRequest(client: Client, requestId: string, keyId: string): Promise<string> {
  const collection = OF_WALLETS[requestId.split('-')[0] ?? ''];
  if (collection === undefined) return `/keys/${keyId}/signatures/${requestId}/explain`;
  for (const walletId of await walletsOf(client, keyId)) {
    const path = `/wallets/${walletId}/${collection}/${requestId}/explain`;
    const isHere = await client.get(path, Explained).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    });
    if (isHere) return path;
  }
  throw new CeremonyError(`No wallet has the request ${requestId}.`);
}

async function pastDevice(client: Client, path: string): Promise<Explained> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const explained = await client.get(path, Explained);
    if (explained.stage !== 'OfflineSigning' && explained.stage !== 'Signing') return explained;
    if (performance.now() > deadline) throw new CeremonyError(`${path} still says: ${explained.summary}`);
    await delay(POLL_MS);
  }
}

/** Waits until each request that the device signed has gone on, and returns a line for each request of the archive. */
export async function followRequests(client: Client, archive: string, output: string): Promise<readonly string[]> {
  const { outputs } = Output.parse(JSON.parse(output));
  const lines: string[] = [];
  for (const { operationId, requestId, order } of Archive.parse(JSON.parse(archive)).input.task.requests) {
    const result = outputs[operationId]?.result;
    if (result && 'success' in result) {
      const path = await pathOfRequest(client, requestId, Order.parse(JSON.parse(order)).keyId);
      lines.push(`${requestId}: ${(await pastDevice(client, path)).summary}`);
    } else lines.push(`${requestId}: not signed (${result?.fail.message ?? 'no result'}); it waits for the next group.`);
  }
  return lines;
}
