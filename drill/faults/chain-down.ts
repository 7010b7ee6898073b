import { randomBytes, randomUUID } from 'node:crypto';
import { TRANSFER_ENDS } from '../../domain/transfers';
import { type Fault, none } from './fault';
import type { Answer, Order } from './fixture';
import { last, until } from './polling';
import { provenOnce } from './proof';

const DOWN_MS = 120_000;
const ENDS: ReadonlySet<string> = new Set(TRANSFER_ENDS);

const another = (order: Order): Order => ({ ...order, to: `0x${randomBytes(20).toString('hex')}`, externalId: randomUUID() });
const refusedIn = (answers: readonly Answer[]) =>
  answers.flatMap(({ status, code }) => (status === 200 ? [] : [`a caller got ${status} ${code}`]));

/**
 * The node loses the transfers that were sent before the outage. Several transfers come from one wallet, so a nonce gap after the
 * outage would keep the later transfers from ending.
 */
export const chainDown: Fault = {
  name: 'node down for two minutes',
  done: 'the only node of the network is killed with transactions in its pool, orders keep coming, and the node stays down for 120 s',
  run: async (scene) => {
    const { stage } = scene;
    const before = await scene.orders(3);
    const during = [...(await scene.orders(3)), ...before.map(another), ...before.map(another)];
    const orders = [...before, ...during];
    await stage.rpc('strongroom_setMining', [false]);
    const heard: Answer[] = [];
    try {
      heard.push(...(await Promise.all(before.map((order) => scene.ask(order)))));
      const sent = async () => ((await scene.rows(before)).every(({ state }) => state === 'Broadcasted') ? true : undefined);
      await until('the earlier orders are sent', sent);
      // The kill also ends the effect of `strongroom_setMining`, so the restarted chain mines again.
      await stage.kill('chain');
    } catch (error) {
      await stage.rpc('strongroom_setMining', [true]);
      throw error;
    }
    let early: readonly string[] = [];
    try {
      heard.push(...(await Promise.all(during.map((order) => scene.ask(order)))));
      await last(DOWN_MS);
      const ended = (await scene.rows(orders)).filter(({ state }) => ENDS.has(state));
      early = ended.map(({ id, state }) => `${id} is ${state}`);
    } finally {
      await stage.restart('chain');
    }
    const back = performance.now();
    await scene.untilEnded(orders);
    scene.say(`the last of ${orders.length} ended ${((performance.now() - back) / 1_000).toFixed(1)} s after the node's return`);
    return [
      none('each POST is answered 200, also while no node answers', refusedIn(heard)),
      none('nothing ends while its outcome is unknown', early),
      ...(await provenOnce(scene, orders)),
    ];
  },
};
