import { createLogger } from '../../platform/logger';
import { endAtSignal } from '../../platform/process-end';
import { solanaBankConfig } from '../config';
import { runProgram } from '../program';
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
  endAtSignal(log, () => server.close());
}

if (require.main === module) runProgram(main);
