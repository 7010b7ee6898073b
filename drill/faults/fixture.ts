import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { TRANSFER_ENDS } from '../../domain/transfers';
import { ApiError, type Client } from '../../local/client';
import type { Stage } from '../rig';
import { until } from './polling';

const NETWORK = 'EthereumSepolia';
const FUNDS = '0x8AC7230489E80000';
const AMOUNT_UNITS = 1_000_000n;
const ENDS_WITHIN_MS = 180_000;

const Wallet = z.object({ id: z.string(), address: z.string() });
const Transfer = z.object({ id: z.string(), status: z.string() });
const Created = z.object({ id: z.string() });

/** No other order has the same recipient. So the payments to the recipient show how often the order was paid. */
export type Order = {
  readonly walletId: string;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly externalId: string;
};
/** The status is 0 if the connection broke. */
export type Answer = { readonly status: number; readonly code: string; readonly tookMs: number; readonly id?: string };

export type Scene = {
  readonly stage: Stage;
  /** How long a part of the service stays down in a long outage. */
  readonly outageMs: number;
  readonly say: (line: string) => void;
  /** Creates a new wallet with enough funds for each order. */
  readonly orders: (count: number) => Promise<readonly Order[]>;
  /** Sends the order. Returns an error response or a broken connection as a reply, and does not throw. */
  readonly ask: (order: Order, client?: Client) => Promise<Answer>;
  /**
   * Repeats the request until the service accepts the order, and throws after 90 seconds. The `externalId` makes the service
   * pay only once.
   */
  readonly waitForOperator: (order: Order, client?: Client) => Promise<Answer>;
  readonly rows: (orders: readonly Order[]) => Promise<readonly TransferRow[]>;
  /** Waits until all orders that have a row have ended, or until the limit has passed. */
  readonly untilEnded: (orders: readonly Order[], limitMs?: number) => Promise<void>;
};

export type TransferRow = { readonly id: string; readonly state: string; readonly externalId: string };

const ENDED: ReadonlySet<string> = new Set(TRANSFER_ENDS);

/** Creates a webhook that sends all events to the receiver of the stage. */
export async function openScene(stage: Stage, { outageMs, say }: Pick<Scene, 'outageMs' | 'say'>): Promise<Scene> {
  await stage
    .client('admin')
    .change('POST', '/webhooks', { url: stage.receiver.url, events: ['*'], description: 'drill' }, Created);

  const rows = (orders: readonly Order[]) =>
    stage.sql<TransferRow>('SELECT id, state, external_id AS "externalId" FROM transfers WHERE external_id = ANY($1)', [
      orders.map(({ externalId }) => externalId),
    ]);
  const ask = async ({ walletId, to, amountUnits, externalId }: Order, client = stage.client('admin')): Promise<Answer> => {
    const started = performance.now();
    const took = () => performance.now() - started;
    try {
      const body = { kind: 'Native', to, amount: amountUnits.toString(), externalId };
      const { id, status } = await client.change('POST', `/wallets/${walletId}/transfers`, body, Transfer);
      return { status: 200, code: status, tookMs: took(), id };
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, code: error.code, tookMs: took() };
      return { status: 0, code: error instanceof Error ? error.name : 'unknown', tookMs: took() };
    }
  };

  return {
    stage,
    outageMs,
    say,
    rows,
    ask,
    waitForOperator: (order, client) =>
      until(`the service accepts ${order.externalId}`, async () => {
        const answer = await ask(order, client);
        return answer.status === 200 ? answer : undefined;
      }),
    orders: (count) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const wallet = await stage.client('admin').change('POST', '/wallets', { network: NETWORK }, Wallet);
          await stage.rpc('anvil_setBalance', [wallet.address, FUNDS]);
          return {
            walletId: wallet.id,
            from: wallet.address,
            to: `0x${randomBytes(20).toString('hex')}`,
            amountUnits: AMOUNT_UNITS,
            externalId: randomUUID(),
          };
        }),
      ),
    untilEnded: async (orders, limitMs = ENDS_WITHIN_MS) => {
      const over = async () => ((await rows(orders)).every(({ state }) => ENDED.has(state)) ? true : undefined);
      await until('every transfer has ended', over, limitMs).catch(() => undefined);
    },
  };
}
