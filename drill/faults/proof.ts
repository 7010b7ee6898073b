import { z } from 'zod';
import { journalOf } from '../signer-journal';
import { type Finding, none } from './fault';
import type { Order, Scene } from './fixture';
import { until } from './polling';

const EVENTS = ['wallet.transfer.requested', 'wallet.transfer.broadcasted', 'wallet.transfer.confirmed'];
const SETTLES_WITHIN_MS = 60_000;

const Told = z.object({
  kind: z.string(),
  version: z.number(),
  deliveryAttempt: z.number(),
  data: z.object({ transferRequest: z.object({ id: z.string() }) }),
});
const Quantity = z.string().transform(BigInt);
type Row = {
  readonly id: string;
  readonly state: string;
  readonly externalId: string;
  readonly open: string;
  readonly claims: string;
};

/**
 * The chain must have executed each order exactly once. The rows, claims, outbox rows and signatures must agree with the chain.
 * Each event in `EVENTS` must have been delivered, and the first deliveries must be in the order of the versions.
 */
export async function provenOnce(scene: Scene, orders: readonly Order[]): Promise<readonly Finding[]> {
  await scene.untilEnded(orders);
  // When a transfer ends, some of its outbox rows and deliveries may still wait.
  const settled = async () => ((await objections(scene, orders)).flat().length === 0 ? true : undefined);
  await until('everything agrees', settled, SETTLES_WITHIN_MS).catch(() => undefined);
  const [chain = [], rows = [], events = []] = await objections(scene, orders);
  return [
    none(`${orders.length} orders, each paid exactly once on chain`, chain),
    none('each transfer Confirmed, its claim Consumed, its outbox empty, one signature', rows),
    none('every event delivered, in version order', events),
  ];
}

async function objections(scene: Scene, orders: readonly Order[]): Promise<readonly (readonly string[])[]> {
  const rows = await scene.stage.sql<Row>(
    `SELECT t.id, t.state, t.external_id AS "externalId",
            (SELECT count(*) FROM outbox o WHERE o.aggregate_id = t.id AND o.date_relayed IS NULL) AS open,
            (SELECT string_agg(c.state, ',') FROM claims c WHERE c.transfer_id = t.id) AS claims
     FROM transfers t WHERE t.external_id = ANY($1)`,
    [orders.map(({ externalId }) => externalId)],
  );
  return [await onChain(scene, orders), inRows(scene, orders, rows), toldOf(scene, rows)];
}

async function onChain({ stage }: Scene, orders: readonly Order[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { from, to, amountUnits } of orders) {
    const paid = Quantity.parse(await stage.rpc('eth_getBalance', [to, 'latest']));
    const count = Quantity.parse(await stage.rpc('eth_getTransactionCount', [from, 'latest']));
    const wanted = BigInt(orders.filter((other) => other.from === from).length);
    if (paid !== amountUnits) faults.push(`${to} got ${paid / amountUnits} payments`);
    if (count !== wanted) faults.push(`${from} sent ${count} transactions`);
  }
  return faults;
}

function inRows({ stage }: Scene, orders: readonly Order[], rows: readonly Row[]): readonly string[] {
  const signed = journalOf(stage);
  const faults = rows.flatMap(({ id, state, open, claims }) => [
    ...(state === 'Confirmed' ? [] : [`${id} is ${state}`]),
    ...(claims === 'Consumed' ? [] : [`${id} has claims ${claims}`]),
    ...(open === '0' ? [] : [`${id} has ${open} outbox rows left`]),
    ...(signed.split(`"requestId":"${id}"`).length === 2 ? [] : [`${id} does not have exactly one signature`]),
  ]);
  if (rows.length !== orders.length) faults.push(`${rows.length} transfers for ${orders.length} orders`);
  return faults;
}

function toldOf({ stage }: Scene, rows: readonly Row[]): readonly string[] {
  const told = stage.receiver.received.flatMap(({ text }) => {
    const parsed = Told.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  });
  return rows.flatMap(({ id }) => {
    const mine = told.filter(({ data, deliveryAttempt }) => data.transferRequest.id === id && deliveryAttempt === 1);
    const kinds = mine.map(({ kind }) => kind);
    const firsts = EVENTS.map((kind) => mine.find((one) => one.kind === kind)?.version ?? -1);
    const missing = EVENTS.filter((kind) => !kinds.includes(kind));
    const arrived = [...new Set(kinds)].filter((kind) => EVENTS.includes(kind));
    const inOrder =
      firsts.every((version, index) => index === 0 || version > (firsts[index - 1] ?? 0)) && arrived.join() === EVENTS.join();
    return [
      ...missing.map((kind) => `${id}: ${kind} never came`),
      ...(missing.length > 0 || inOrder ? [] : [`${id}: events out of order`]),
    ];
  });
}
