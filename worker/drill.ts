import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Dispatcher } from '../application/dispatch';
import type { WebhookAttempts } from '../application/webhook-attempts';
import type { Deliverer } from '../application/webhook-delivery';
import type { createGateways } from '../chains/gateways';
import type { TransferRef } from '../domain/transfer-steps';
import { withCommitPoints } from '../entities/commit-points';
import type { Database } from '../entities/database';
import type { Dispatch } from '../entities/outbox/outbox.store';
import { idsIn, type Reached, reachedOver } from '../platform/drill-gate';
import type { SignerClient } from '../signer/protocol';

type Gateways = ReturnType<typeof createGateways>;

/** The parts of the worker as a drill wants them: each step reports where it stands and waits there. */
export type DrillPoints = {
  /** `<step>:committing` with the work done and nothing committed, `<step>:committed` behind the commit. */
  readonly database: (db: Database) => Database;
  /** `<step>:asked` before the signer is, `<step>:answered` with its answer in hand. */
  readonly signer: (signer: SignerClient) => SignerClient;
  /** The same around each transaction that is sent. */
  readonly gateways: (gateways: Gateways) => Gateways;
  /**
   * `<step>:written` with the attempt committed and nothing sent, `<step>:heard` before its result is marked, `<step>:marked`
   * behind that. Not inside their transactions, which many deliveries share.
   */
  readonly attempts: (attempts: WebhookAttempts) => WebhookAttempts;
  /** `deliver:begun`, and `deliver:done` before the relay marks its row. */
  readonly deliverer: (deliverer: Deliverer) => Deliverer;
  /** `start:asked`, or the signal's name, before Temporal is told; `start:told` before the relay marks its row. */
  readonly dispatcher: (dispatcher: Dispatcher) => Dispatcher;
  /** The same of a step that is done inside of another activity. */
  readonly reported: <T>(name: string, step: (ref: TransferRef) => Promise<T>) => (ref: TransferRef) => Promise<T>;
  /** `<activity>:begun`, and `<activity>:done` when the function has returned and Temporal does not know. */
  readonly activities: readonly ActivityInterceptorsFactory[];
};

/** Without a drill every part is itself. */
const NOBODY: DrillPoints = {
  database: (db) => db,
  signer: (signer) => signer,
  gateways: (gateways) => gateways,
  attempts: (attempts) => attempts,
  deliverer: (deliverer) => deliverer,
  dispatcher: (dispatcher) => dispatcher,
  reported: (_name, step) => step,
  activities: [],
};

/** What is going on, an activity or a delivery, with the ids that it was given. */
type Step = { readonly name: string; readonly ids: readonly string[] };

export function drillPoints(gateUrl: string | undefined): DrillPoints {
  return gateUrl === undefined ? NOBODY : pointsOver(reachedOver(gateUrl));
}

function pointsOver(reached: Reached): DrillPoints {
  const current = new AsyncLocalStorage<Step>();
  const during = <T>(name: string, ids: readonly string[], work: () => Promise<T>): Promise<T> =>
    current.run({ name, ids }, async () => {
      await reached(`${name}:begun`, ids);
      const result = await work();
      await reached(`${name}:done`, ids);
      return result;
    });
  const here = async (moment: string, ids: readonly string[] = []): Promise<void> => {
    const step = current.getStore();
    if (step) await reached(`${step.name}:${moment}`, [...step.ids, ...ids]);
  };
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    await here('asked');
    const result = await work();
    await here('answered');
    return result;
  };

  return {
    database: (db) => withCommitPoints(db, here),
    signer: (signer) => ({
      ...signer,
      createKey: (order) => around(() => signer.createKey(order)),
      signTransfer: (order) => around(() => signer.signTransfer(order)),
      signUtxo: (order) => around(() => signer.signUtxo(order)),
      signSolana: (order) => around(() => signer.signSolana(order)),
      withdraw: (order) => around(() => signer.withdraw(order)),
    }),
    gateways: (gateways) => (network) => {
      const gateway = gateways(network);
      return { ...gateway, broadcast: (rawHex, txHash) => around(() => gateway.broadcast(rawHex, txHash)) };
    },
    attempts: (attempts) => ({
      ...attempts,
      begin: async (orgId, attempt) => {
        const begun = await attempts.begin(orgId, attempt);
        await here('written');
        return begun;
      },
      settle: async (orgId, result, follows) => {
        await here('heard');
        await attempts.settle(orgId, result, follows);
        await here('marked');
      },
    }),
    deliverer: (deliverer) => ({
      ...deliverer,
      deliver: (orgId, eventId) => during('deliver', [orgId, eventId], () => deliverer.deliver(orgId, eventId)),
    }),
    dispatcher: (dispatcher) => ({
      ...dispatcher,
      carryOut: async (orgId: string, row: Dispatch) => {
        const name = row.kind === 'start' ? 'start' : (row.routing['signal'] ?? row.kind);
        await reached(`${name}:asked`, [orgId, row.aggregateId]);
        await dispatcher.carryOut(orgId, row);
        await reached(`${name}:told`, [orgId, row.aggregateId]);
      },
    }),
    reported: (name, step) => (ref) => during(name, idsIn([ref]), () => step(ref)),
    activities: [
      ({ info }) => ({
        inbound: { execute: (input, next) => during(info.activityType, idsIn(input.args), () => next(input)) },
      }),
    ],
  };
}
