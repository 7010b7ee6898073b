import { type LocalTestWorkflowEnvironmentOptions, TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../../platform/search-attributes';
import { typesByName } from '../../worker/search-attributes';

/** The library gives a server five seconds to start, which a busy machine may not: then it is started again. */
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

/** The server that skips time whenever nothing but time is waited for. */
export async function openTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const options = programAt(process.env['TEMPORAL_TEST_SERVER_PATH']);
  const open = await patiently(() => TestWorkflowEnvironment.createTimeSkipping(options));
  await registerSearchAttributes(open);
  return open;
}

/** As a worker does when it starts; this server knows how to add them but not how to list them. */
async function registerSearchAttributes({ connection, namespace = 'default' }: TestWorkflowEnvironment): Promise<void> {
  const searchAttributes = typesByName(Object.values(SEARCH_ATTRIBUTES));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}

/** The whole server with real time, for what the other does not have: schedules, visibility, id policies. */
export function openLocal(
  client?: LocalTestWorkflowEnvironmentOptions['client'],
  extraArgs: readonly string[] = [],
): Promise<TestWorkflowEnvironment> {
  const { server } = programAt(process.env['TEMPORAL_CLI_PATH']);
  const options = { server: { ...server, extraArgs: [...extraArgs] }, ...(client === undefined ? {} : { client }) };
  return patiently(() => TestWorkflowEnvironment.createLocal(options));
}
