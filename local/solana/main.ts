import { createLogger } from '../../platform/logger';
import { solanaBankConfig } from '../config';
import { Bank } from './bank';
import { Journal } from './journal';
import { createMethods } from './methods';
import { createRpcServer } from './server';

async function main(): Promise<void> {
  const config = solanaBankConfig();
  const log = createLogger('solana', config.LOG_LEVEL);
  const journal = Journal.open(config.SOLANA_STATE_FILE);
  const bank = new Bank(journal);
  const server = createRpcServer(createMethods(bank));
  const url = await server.listen(config.SOLANA_PORT, config.SOLANA_HOST);
  log.info({ url }, 'the local Solana bank answers');
  const stop = () => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'the local Solana bank did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
