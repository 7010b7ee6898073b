import { type Metrics, type Source, sampleOf } from './metrics';

type PoolState = { readonly inUse: number; readonly idle: number; readonly waiting: number };
type RpcCall = { readonly network: string; readonly method: string; readonly outcome: string; readonly seconds: number };

/** The pools of a process's database. */
export const poolsSource = (pools: () => Readonly<Record<string, PoolState>>): Source => ({
  name: 'pools',
  metrics: ['strongroom_db_connections', 'strongroom_db_waiting'],
  read: () =>
    Object.entries(pools()).flatMap(([pool, { inUse, idle, waiting }]) => [
      sampleOf('strongroom_db_connections', { pool, state: 'in_use' }, inUse),
      sampleOf('strongroom_db_connections', { pool, state: 'idle' }, idle),
      sampleOf('strongroom_db_waiting', { pool }, waiting),
    ]),
});

/** Records each request to a node. */
export const rpcCallsInto =
  (metrics: Metrics) =>
  ({ network, method, outcome, seconds }: RpcCall): void =>
    metrics.observe('strongroom_rpc_request_duration_seconds', { network, method, outcome }, seconds);
