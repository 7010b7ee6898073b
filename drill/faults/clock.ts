import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '../../domain/durations';
import type { Role } from '../rig';
import { type Fault, type Finding, none } from './fault';
import type { Answer, Order, Scene } from './fixture';
import { last, until } from './polling';
import { provenOnce } from './proof';

const MOVED_FOR_MS = 6_000;
/** `moved-clock.ts` reads the file again after 100 ms. */
const NOTICED_WITHIN_MS = 500;
const PRELOAD = join(__dirname, 'moved-clock.js');

/** The clock of one process is an hour fast or slow. The drill corrects the clock while the process runs. */
const clockOf = (
  role: Role,
  hours: 1 | -1,
  during: (scene: Scene, orders: readonly Order[], heard: readonly Answer[]) => Promise<Finding>,
): Fault => ({
  name: `clock of the ${role} ${hours > 0 ? 'ahead' : 'behind'}`,
  done: `the clock of the ${role} is moved ${hours > 0 ? 'forward' : 'back'} by an hour, and later corrected`,
  run: async (scene) => {
    const { stage } = scene;
    const orders = await scene.orders(2);
    const file = join(stage.place().dataFolder, `clock-${role}`);
    writeFileSync(file, '0');
    await stage.kill(role);
    await stage.restart(role, { NODE_OPTIONS: `--require ${PRELOAD}`, DRILL_CLOCK_FILE: file });
    let finding: Finding;
    try {
      writeFileSync(file, String(hours * HOUR_MS));
      await last(NOTICED_WITHIN_MS);
      const heard = Promise.all(orders.map((order) => scene.ask(order)));
      await last(MOVED_FOR_MS);
      finding = await during(scene, orders, await heard);
    } finally {
      writeFileSync(file, '0');
    }
    await Promise.all(orders.map((order) => scene.waitForOperator(order)));
    const proofs = await provenOnce(scene, orders);
    await stage.kill(role);
    await stage.restart(role, { NODE_OPTIONS: '', DRILL_CLOCK_FILE: '' });
    return [finding, ...proofs];
  },
});

/** The signer must not sign (S17), because the clocks of signer and worker differ by more than the signer accepts. */
const unsigned = async (scene: Scene, orders: readonly Order[]): Promise<Finding> => {
  const rows = await until('both orders are stored', async () => {
    const stored = await scene.rows(orders);
    return stored.length === orders.length ? stored : undefined;
  });
  return none(
    'the signer refuses, the transfers wait in Signing',
    rows.filter(({ state }) => state !== 'Signing').map(({ id, state }) => `${id} is ${state}`),
  );
};

/**
 * An API with a wrong clock may refuse its callers, but only with its usual errors. The clock of the database decides what has
 * expired.
 */
const orderly = async (_scene: Scene, _orders: readonly Order[], heard: readonly Answer[]): Promise<Finding> =>
  none(
    'callers are served or refused, none gets a 500',
    heard.filter(({ status }) => status === 0 || status === 500).map(({ status, code }) => `a caller got ${status} ${code}`),
  );

export const clocks: readonly Fault[] = ([1, -1] as const).flatMap((hours) => [
  clockOf('signer', hours, unsigned),
  clockOf('worker', hours, unsigned),
  clockOf('api', hours, orderly),
]);
