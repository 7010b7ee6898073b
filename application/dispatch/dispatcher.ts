import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { AppError, invariant } from '../../domain/errors';
import { routeOf } from '../../domain/routes';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { withoutContext } from '../../platform/request-context';
import { searchAttributesOf } from '../../platform/search-attributes';
import type { StartWords, WordsOf } from './start-words';

/** Dispatches an outbox row to Temporal. */
export type Dispatcher = {
  /** Throws if Temporal cannot be reached, and the relay tries again later. */
  readonly carryOut: (orgId: string, row: Dispatch) => Promise<void>;
  /** Tries once, right after a commit. Failures are ignored, because the outbox row remains and the relay tries again. */
  readonly tryNow: (orgId: string, row: Dispatch) => Promise<void>;
  /** Runs a workflow that does not belong to a record. Throws `NotReady` if the workflow fails or does not end in time. */
  readonly execute: <R>(orgId: string, { workflow, id, routing, limitMs }: Execution) => Promise<R>;
};

export type Execution = {
  readonly workflow: string;
  /** Each execution has a new id. */
  readonly id: string;
  readonly routing: Readonly<Record<string, string>>;
  readonly limitMs: number;
};

/** The limit of one call. Without a limit, a Temporal server that never responds would block its callers for ever. */
const CALL_LIMIT_MS = 10_000;

type Options = {
  /** The encrypted text that Temporal shows for a workflow in addition to its routing. */
  readonly wordsOf?: WordsOf;
  readonly callLimitMs?: number;
};

const startOptions = (orgId: string, { aggregateId, routing }: Dispatch, words: StartWords | undefined) => ({
  workflowId: aggregateId,
  taskQueue: routeOf(orgId).main,
  args: [{ orgId, id: aggregateId, routing: withoutContext(routing) }],
  // `again` is set only by a caller that found an open record whose workflow has ended.
  workflowIdReusePolicy:
    routing['again'] === 'true' ? WorkflowIdReusePolicy.ALLOW_DUPLICATE : WorkflowIdReusePolicy.REJECT_DUPLICATE,
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  typedSearchAttributes: searchAttributesOf({ orgId, walletId: routing['walletId'], network: routing['network'] }),
  staticSummary: words?.summary ?? routing['summary'] ?? routing['workflow'] ?? '',
  ...(words ? { staticDetails: words.details } : {}),
  priority: { fairnessKey: orgId },
});

/** The id of the workflow is the id of the record. */
export function createDispatcher(client: Client, { wordsOf, callLimitMs = CALL_LIMIT_MS }: Options = {}): Dispatcher {
  const start = async (orgId: string, row: Dispatch): Promise<void> => {
    const { routing } = row;
    invariant(routing['workflow'], 'a start names its workflow');
    const words = await wordsOf?.(orgId, row);
    const options = startOptions(orgId, row, words);
    try {
      if (routing['signal'] === undefined) await client.workflow.start(routing['workflow'], options);
      else await client.workflow.signalWithStart(routing['workflow'], { ...options, signal: routing['signal'], signalArgs: [] });
    } catch (error) {
      // A closed workflow with the same id has completed its work, and a second start would repeat that work.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };

  const signal = async ({ aggregateId, routing }: Dispatch): Promise<void> => {
    invariant(routing['signal'], 'a signal has a name');
    try {
      const payload = routing['argument'] === undefined ? [] : [routing['argument']];
      await client.workflow.getHandle(aggregateId).signal(routing['signal'], ...payload);
    } catch (error) {
      // The relay starts a record's workflow before the signal. A workflow that is not found has ended and needs no signal.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };

  const carryOut: Dispatcher['carryOut'] = async (orgId, row) => {
    await client.withDeadline(Date.now() + callLimitMs, async () => {
      if (row.kind === 'start') await start(orgId, row);
      if (row.kind === 'signal') await signal(row);
    });
  };
  const execute: Dispatcher['execute'] = async <R>(orgId: string, { workflow, id, routing, limitMs }: Execution) => {
    try {
      const result: unknown = await client.withDeadline(Date.now() + limitMs, () =>
        client.workflow.execute(workflow, {
          workflowId: id,
          taskQueue: routeOf(orgId).main,
          args: [{ orgId, id, routing }],
          workflowExecutionTimeout: limitMs,
          typedSearchAttributes: searchAttributesOf({ orgId }),
          staticSummary: routing['summary'] ?? workflow,
          priority: { fairnessKey: orgId },
        }),
      );
      return result as R;
    } catch (error) {
      throw new AppError('NotReady', 'The service did not complete this in time', {}, error);
    }
  };

  return {
    carryOut,
    execute,
    tryNow: async (orgId, row) => {
      await carryOut(orgId, row).catch(() => undefined);
    },
  };
}
