import type { Stage } from '../rig';
import { type Fault, none } from './fault';
import { last, until } from './polling';
import { provenOnce } from './proof';

const ROLES = ['strongroom_app', 'strongroom_worker', 'strongroom_relay'];
/** Postgres refuses a connection at once. A later reply would mean that the API lets callers wait for a connection. */
const ANSWER_LIMIT_MS = 3_000;
const EXHAUSTED_MS = 10_000;

const limitConnections = async (stage: Stage, connections: number): Promise<void> => {
  for (const role of ROLES) await stage.sql(`ALTER ROLE ${role} CONNECTION LIMIT ${connections}`);
};

export const connectionsExhausted: Fault = {
  name: 'connections exhausted',
  done: `all connections of the service's roles end, and no new connection is possible for ${EXHAUSTED_MS / 1000} s`,
  run: async (scene) => {
    const { stage } = scene;
    const [under = [], during = []] = [await scene.orders(3), await scene.orders(3)];
    const begun = under.map((order) => scene.ask(order));
    await until('the first order is stored', async () => ((await scene.rows(under)).length > 0 ? true : undefined));
    await limitConnections(stage, 0);
    let heard: readonly string[] = [];
    try {
      await stage.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ANY($1)', [ROLES]);
      const answers = await Promise.all(during.map((order) => scene.ask(order)));
      heard = [
        ...answers.flatMap(({ status, code, tookMs }) => [
          ...(status === 503 && code === 'NotReady' ? [] : [`a caller got ${status} ${code}`]),
          ...(tookMs <= ANSWER_LIMIT_MS ? [] : [`a caller waited ${Math.round(tookMs)} ms`]),
        ]),
        ...(await Promise.all(begun)).flatMap(({ status, code }) =>
          status === 200 || (status === 503 && code === 'NotReady')
            ? []
            : [`a caller whose order was under way heard ${status} ${code}`],
        ),
      ];
      await last(EXHAUSTED_MS);
    } finally {
      await limitConnections(stage, -1);
    }
    const half = (await scene.rows(during)).map(({ id, state }) => `${id} is ${state} although its caller was refused`);
    const all = [...under, ...during];
    await Promise.all(all.map((order) => scene.waitForOperator(order)));
    return [
      none('callers get 503 NotReady at once, none a 500', heard),
      none('nothing of a refused order is stored', half),
      ...(await provenOnce(scene, all)),
    ];
  },
};
