import { TRANSFER_ANSWER_LIMIT_MS } from '../../application/outgoing/start-and-wait';
import { type Fault, none } from './fault';
import { last } from './polling';
import { provenOnce } from './proof';

/**
 * The caller may wait this much longer than `TRANSFER_ANSWER_LIMIT_MS`, because the caller also announces and signs the user
 * action.
 */
const MARGIN_MS = 3_000;

export const temporalDown: Fault = {
  name: 'Temporal unreachable',
  done: 'Temporal is killed and stays down for the length of an outage, while orders keep coming',
  run: async (scene) => {
    const { stage } = scene;
    const orders = await scene.orders(5);
    await stage.kill('temporal');
    let heard: readonly string[] = [];
    let waiting: readonly string[] = [];
    try {
      const answers = await Promise.all(orders.map((order) => scene.ask(order)));
      const limitMs = TRANSFER_ANSWER_LIMIT_MS + MARGIN_MS;
      heard = answers.flatMap(({ status, code, tookMs }) => [
        ...(status === 200 && code === 'Pending' ? [] : [`a caller got ${status} ${code}`]),
        ...(tookMs <= limitMs ? [] : [`a caller waited ${Math.round(tookMs)} ms`]),
      ]);
      const starts = await stage.sql<{ relayed: boolean }>(
        `SELECT date_relayed IS NOT NULL AS relayed FROM outbox WHERE kind = 'start' AND aggregate_id = ANY($1)`,
        [(await scene.rows(orders)).map(({ id }) => id)],
      );
      waiting = [
        ...(starts.length === orders.length ? [] : [`${starts.length} starts for ${orders.length} orders`]),
        ...(starts.some(({ relayed }) => relayed) ? ['a start was marked as sent to Temporal'] : []),
      ];
      await last(scene.outageMs);
    } finally {
      await stage.restart('temporal');
    }
    return [
      none(`each POST answers 200 within ${TRANSFER_ANSWER_LIMIT_MS / 1000} s`, heard),
      none('the starts wait in the outbox', waiting),
      ...(await provenOnce(scene, orders)),
    ];
  },
};
