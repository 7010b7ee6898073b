import '../platform/no-debugger';
import { ConfigError } from '../platform/config';
import { createLogger } from '../platform/logger';
import { forwarderConfig } from './config';
import { startForwarder } from './forwarder';

async function main(): Promise<void> {
  const { FORWARDER_SOCKET: socketPath, FORWARDER_TARGETS: targets, LOG_LEVEL } = forwarderConfig();
  const logger = createLogger('forwarder', LOG_LEVEL);
  const forwarder = await startForwarder({ socketPath, targets, logger });
  const stop = () => void forwarder.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  logger.info({ socket: socketPath, names: targets }, 'forwarder ready');
}

main().catch((error: unknown) => {
  const message = error instanceof ConfigError || (error instanceof Error && 'syscall' in error) ? error.message : String(error);
  process.stderr.write(`The forwarder does not start: ${message}\n`);
  process.exit(1);
});
