import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { INTEGRATION_KINDS, type IntegrationKind } from '../../domain/integrations';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { recordHistory } from './recording';
import { openTimeSkipping } from './temporal';
import { WORKFLOW_BUNDLE } from './workflow-bundle';

type Screen = Activities['screen'];
type Main = Pick<
  Activities,
  'judgeIncoming' | 'failScreening' | 'evaluateTransfer' | 'evaluateSignature' | 'failTransfer' | 'failSignature'
>;
type Story = {
  readonly main: Partial<Main>;
  /** The activity of each vendor's worker. A vendor without an activity has no worker. */
  readonly vendors: Partial<Record<IntegrationKind, Screen>>;
};

/** Plays workflows that ask vendors on the time-skipping server. Each story has its own workers. */
export async function openScreeningStage() {
  const environment = await openTimeSkipping();
  const connection = environment.nativeConnection;
  const orgId = newId('organization');
  const { main, vendor } = routeOf(orgId);

  /** Runs one workflow to its end. Returns its result, and the seconds that the server's clock skipped meanwhile. */
  const play = async (workflow: 'incomingTransaction' | 'transfer' | 'signature', title: string, story: Story) => {
    const workers = await Promise.all([
      Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE, activities: { ...story.main } }),
      ...INTEGRATION_KINDS.flatMap((kind) => {
        const screen = story.vendors[kind];
        return screen ? [Worker.create({ connection, taskQueue: vendor(kind), activities: { screen } })] : [];
      }),
    ]);
    const running = Promise.all(workers.map((worker) => worker.run()));
    const id = newId(workflow === 'incomingTransaction' ? 'incomingTransaction' : 'transfer');
    try {
      const begunMs = performance.now();
      const handle = await environment.client.workflow.start(workflow, {
        workflowId: id,
        taskQueue: main,
        args: [{ orgId, id, routing: { network: 'EthereumSepolia' } }],
      });
      const result: unknown = await handle.result();
      // The clock also counts the real time, which is long on a slow machine.
      const realMs = performance.now() - begunMs;
      const { startTime, closeTime } = await handle.describe();
      const recorded = workflow === 'incomingTransaction' ? 'incoming-transaction' : workflow;
      await recordHistory(recorded, title, environment.client.workflow.getHandle(id));
      return { result, seconds: ((closeTime?.getTime() ?? 0) - startTime.getTime() - realMs) / 1_000 };
    } finally {
      for (const worker of workers) worker.shutdown();
      await running;
    }
  };
  return { orgId, play, close: () => environment.teardown() };
}
