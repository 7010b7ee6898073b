import '../platform/no-debugger';
import { createLogger } from '../platform/logger';
import { endAtSignal, reportFault, runMain } from '../platform/process-end';
import { forwarderConfig } from './config';
import { startForwarder } from './forwarder';

async function main(): Promise<void> {
  const { FORWARDER_SOCKET: socketPath, FORWARDER_TARGETS: targets, LOG_LEVEL } = forwarderConfig();
  const logger = createLogger('forwarder', LOG_LEVEL);
  const forwarder = await startForwarder({ socketPath, targets, logger });
  endAtSignal(logger, () => forwarder.close());
  logger.info({ socket: socketPath, names: targets }, 'forwarder ready');
}

runMain(main, (error) => reportFault(error, 'The forwarder does not start: '));
