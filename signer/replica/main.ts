import '../../platform/no-debugger';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../platform/config';
import { createLogger } from '../../platform/logger';
import { endAtSignal, reportFault, runMain } from '../../platform/process-end';
import { preparePrivateFolder } from '../private-folder';
import { takeFolderLease } from '../record/folder-lease';
import { StartError } from '../start-error';
import { openListener } from '../wire/listener';
import { readReplicaConfig } from './config';
import { PREPARATIONS } from './prepare';
import { ReplicaFolder } from './replica-folder';
import { createReplicaServer } from './replica-server';

const GRACE_MS = 5_000;

async function main(): Promise<void> {
  process.umask(0o077);
  const [command] = process.argv.slice(2);
  const prepare = command === undefined ? undefined : PREPARATIONS[command];
  if (command !== undefined && !prepare) throw new ConfigError(`usage: main.js [${Object.keys(PREPARATIONS).join(' | ')}]`);
  const { place, authKey, stateDir, logLevel } = readReplicaConfig();
  const logger = createLogger('replica', logLevel);
  preparePrivateFolder(stateDir);
  if ('path' in place) preparePrivateFolder(dirname(place.path), 0o027);
  const end = (fault: unknown) => {
    logger.fatal({ err: fault }, 'the folder is lost or accepts no more writes: the replica ends');
    process.exit(1);
  };
  // The signer of a promoted folder takes the same lease, so a replica that still runs can acknowledge nothing more.
  const lease = await takeFolderLease(join(stateDir, 'epochs'), { onLost: end });
  if (prepare) {
    logger.info(await prepare(stateDir));
    // If a suspended earlier process may have the files open, the lease stays, and the next process copies the files.
    if (!lease.mustCopy) lease.release();
    return;
  }
  const folder = await ReplicaFolder.open(stateDir, lease);
  lease.hold();
  const { serve, settled } = createReplicaServer({ folder, authKey, logger, onBroken: end });
  const { stop } = await openListener(place, serve, logger, { graceMs: GRACE_MS });
  endAtSignal(logger, async () => {
    await stop();
    // After the release the next process may open the files, so no write may follow.
    await settled();
    await folder.close();
    lease.release();
    logger.info('replica stopped');
  });
  logger.info({ epoch: folder.epoch }, 'replica ready');
}

runMain(main, (error) => reportFault(error, 'The replica does not start: ', [ConfigError, StartError]));
