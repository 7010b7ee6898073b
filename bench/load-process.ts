import { Agent, get } from 'node:http';
import { closedLoop } from './closed-loop';
import { serveParent } from './program';

export type LoadOrder = {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The process requests these paths in turn, again and again. */
  readonly paths: readonly string[];
  readonly count: number;
  readonly connections: number;
};
export type LoadAnswer = { readonly seconds: number; readonly latenciesMs: readonly number[] };

/** Connections stay open between orders, like the connections of a busy customer. */
const agents = new Map<string, Agent>();
let turn = 0;

serveParent(async ({ origin, headers, paths, count, connections }: LoadOrder): Promise<LoadAnswer> => {
  const agent = agents.get(origin) ?? new Agent({ keepAlive: true, maxSockets: connections });
  agents.set(origin, agent);
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      turn += 1;
      get(`${origin}${paths[turn % paths.length]}`, { agent, headers }, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${origin} answered ${response.statusCode}`));
        });
      }).on('error', reject);
    });
  return closedLoop(count, connections, ask);
});
