import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { JUDGED_HERE } from '../../domain/judgements';
import { routeOf } from '../../domain/routes';
import type { SignatureRef } from '../../domain/signatures';
import { newId } from '../../platform/ids';
import type { SignatureEnd, SignatureInput } from '../../workflows/signature.messages';
import { recordHistory } from './recording';
import { openTimeSkipping } from './temporal';
import { WORKFLOW_BUNDLE } from './workflow-bundle';

type SignatureActivities = Pick<
  Activities,
  | 'evaluateSignature'
  | 'readHold'
  | 'expireHold'
  | 'tellApprovers'
  | 'signPayload'
  | 'failSignature'
  | 'fillSignature'
  | 'lapseSignature'
>;

/** Activities of a request that no policy holds and no fault stops. A test replaces the activities that its story changes. */
const smooth: SignatureActivities = {
  evaluateSignature: async () => ({ outcome: 'Cleared' }),
  readHold: async () => ({ status: 'Approved', groups: [] }),
  expireHold: async () => ({ status: 'Expired', groups: [] }),
  tellApprovers: async () => ({}),
  signPayload: async () => 'Signed',
  failSignature: async () => 'Failed',
  fillSignature: async () => 'Filled',
  lapseSignature: async () => ({ againMs: null }),
};

type Signature = WorkflowHandle<(input: SignatureInput) => Promise<SignatureEnd>>;

export type SignatureStage = {
  /** Runs one request with these activities. `calls` contains the names of the activities in the order in which they ran. */
  readonly play: (
    title: string,
    replaced: Partial<SignatureActivities>,
    story: (signature: Signature, calls: readonly string[]) => Promise<void>,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The real signature workflow on the time-skipping server. If RECORD_HISTORIES is set, each story records its history. */
export async function openSignatureStage(): Promise<SignatureStage> {
  const environment = await openTimeSkipping();

  const plays = new Map<string, { readonly activities: SignatureActivities; readonly calls: string[] }>();
  const activities = Object.fromEntries(
    (Object.keys(smooth) as (keyof SignatureActivities)[]).map((name) => [
      name,
      (ref: SignatureRef, ...rest: readonly unknown[]) => {
        const story = plays.get(ref.signatureId);
        if (!story) throw new Error(`No story plays ${ref.signatureId}`);
        story.calls.push(name);
        return (story.activities[name] as (...args: readonly unknown[]) => Promise<unknown>)(ref, ...rest);
      },
    ]),
  );
  const orgId = newId('organization');
  const { main, signer, chain } = routeOf(orgId);
  const connection = environment.nativeConnection;
  const workers = await Promise.all([
    Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE, activities }),
    Worker.create({ connection, taskQueue: signer, activities }),
    Worker.create({ connection, taskQueue: chain('EthereumSepolia'), activities }),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));

  return {
    play: async (title, replaced, story) => {
      const id = newId('signature');
      const calls: string[] = [];
      plays.set(id, { activities: { ...smooth, ...replaced }, calls });
      const handle = await environment.client.workflow.start('signature', {
        workflowId: id,
        taskQueue: main,
        args: [{ orgId, id, routing: JUDGED_HERE }],
      });
      await story(handle, calls);
      await recordHistory('signature', title, environment.client.workflow.getHandle(id));
    },
    close: async () => {
      for (const worker of workers) worker.shutdown();
      await running;
      await environment.teardown();
    },
  };
}
