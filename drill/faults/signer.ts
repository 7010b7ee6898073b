import { rmSync } from 'node:fs';
import { type Fault, none } from './fault';
import type { Order, Scene } from './fixture';
import { last, until } from './polling';
import { provenOnce } from './proof';

/** Longer than the worker waits for a reply of the signer, so at least one request times out. */
const SILENT_MS = 13_000;

/** Describes each order that the API refused, and each order that is not in the state `Signing`. */
async function sendUnsigned(scene: Scene, orders: readonly Order[]): Promise<readonly string[]> {
  const answers = await Promise.all(orders.map((order) => scene.ask(order)));
  const refused = answers.filter(({ status }) => status !== 200).map(({ status, code }) => `a caller got ${status} ${code}`);
  const rows = await scene.rows(orders);
  return [...refused, ...rows.filter(({ state }) => state !== 'Signing').map(({ id, state }) => `${id} is ${state}`)];
}

export const signerSlow: Fault = {
  name: 'signer slow',
  done: `the signer is suspended for ${SILENT_MS / 1000} s and then answers all requests sent meanwhile`,
  run: async (scene) => {
    const orders = await scene.orders(3);
    await scene.stage.stopProcess('signer');
    try {
      const early = await sendUnsigned(scene, orders);
      await last(SILENT_MS);
      await scene.stage.continueProcess('signer');
      return [none('callers are answered, the transfers wait in Signing', early), ...(await provenOnce(scene, orders))];
    } finally {
      await scene.stage.continueProcess('signer');
    }
  },
};

export const signerDown: Fault = {
  name: 'signer down',
  done: 'the signer is killed and stays down for the length of an outage',
  run: async (scene) => {
    const orders = await scene.orders(3);
    await scene.stage.kill('signer');
    let early: readonly string[] = [];
    try {
      early = await sendUnsigned(scene, orders);
      await last(scene.outageMs);
    } finally {
      await scene.stage.restart('signer');
    }
    return [none('callers are answered, the transfers wait in Signing', early), ...(await provenOnce(scene, orders))];
  },
};

export const signerSocketGone: Fault = {
  name: 'signer socket deleted',
  done: 'the socket file of a running signer is deleted and the worker is restarted; then the signer is restarted, too',
  run: async (scene) => {
    const { stage } = scene;
    const orders = await scene.orders(2);
    rmSync(stage.place().signerSocket);
    await stage.kill('worker');
    const restarted = stage.restart('worker');
    let early: readonly string[] = [];
    try {
      await until('the orders are prepared', async () => {
        early = await sendUnsigned(scene, orders);
        return early.length === 0 ? true : undefined;
      });
    } finally {
      await stage.kill('signer');
      await stage.restart('signer');
      await restarted;
    }
    return [none('callers are answered, the transfers wait in Signing', early), ...(await provenOnce(scene, orders))];
  },
};
