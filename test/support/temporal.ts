import { type LocalTestWorkflowEnvironmentOptions, TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../../platform/search-attributes';
import { typesByName } from '../../worker/search-attributes';

/** The library gives a server five seconds to start. On a busy machine the start can fail, and is then tried again. */
const STARTS_MAX = 8;

async function patiently(
  start: () => Promise<TestWorkflowEnvironment>,
  startsLeft = STARTS_MAX,
): Promise<TestWorkflowEnvironment> {
  return start().catch((fault: unknown) => {
    if (startsLeft === 1) throw fault;
    return patiently(start, startsLeft - 1);
  });
}

function programAt(path: string | undefined) {
  const logging = { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
  return { server: path ? { executable: { type: 'existing-path' as const, path } } : {} };
}

/** Starts the server that skips time whenever workflows wait only for time. */
export async function openTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const options = programAt(process.env['TEMPORAL_TEST_SERVER_PATH']);
  const open = await patiently(() => TestWorkflowEnvironment.createTimeSkipping(options));
  await registerSearchAttributes(open);
  return open;
}

/** Registers the search attributes as a worker does at its start. This server can add attributes but cannot list them. */
async function registerSearchAttributes({ connection, namespace = 'default' }: TestWorkflowEnvironment): Promise<void> {
  const searchAttributes = typesByName(Object.values(SEARCH_ATTRIBUTES));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}

/** Starts the whole server with real time, for features that the other server lacks: schedules, visibility, id policies. */
export function openLocal(
  client?: LocalTestWorkflowEnvironmentOptions['client'],
  extraArgs: readonly string[] = [],
): Promise<TestWorkflowEnvironment> {
  const { server } = programAt(process.env['TEMPORAL_CLI_PATH']);
  const options = { server: { ...server, extraArgs: [...extraArgs] }, ...(client === undefined ? {} : { client }) };
  return patiently(() => TestWorkflowEnvironment.createLocal(options));
}
