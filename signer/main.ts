import '../platform/no-debugger';
import { dirname, join } from 'node:path';
import { SIGNER_SWITCHES, SWITCHED } from '../domain/signer-switches';
import { ConfigError } from '../platform/config';
import { createLogger, type Logger } from '../platform/logger';
import { endAtSignal, reportFault, runMain } from '../platform/process-end';
import { watchCharters } from './charters/charter-folder';
import { readSignerConfig } from './config';
import { confine, hardeningFaults } from './hardening';
import { KekUnavailable } from './keys/kek';
import type { KekConfig } from './keys/kek/config';
import { openKeks } from './keys/kek/open';
import { openAddon, openSigning } from './native/open-signing';
import { openOperations } from './orders/operations';
import { preparePrivateFolder } from './private-folder';
import type { Arithmetic } from './protocol';
import { type FolderLease, takeFolderLease } from './record/folder-lease';
import { isStateFrozen } from './record/frozen-file';
import { judgeReplication } from './record/replication/replication';
import { StartError } from './start-error';
import { startServer } from './wire/server';

const hasKeyFromEnvironment = ({ active, old }: KekConfig) =>
  [active, ...old].some((source) => source.kind === 'local' && source.isFromEnvironment);

type Found = {
  readonly tornBytes: number;
  readonly freezes: number;
  readonly arithmetic: Arithmetic;
  readonly isCodeFixed: boolean;
};

/** Logs everything about this start that the operator should know. */
function warnOfStart(logger: Logger, { stateDir, switches }: ReturnType<typeof readSignerConfig>, found: Found): void {
  const { tornBytes, freezes, arithmetic, isCodeFixed } = found;
  if (tornBytes > 0)
    logger.warn({ tornBytes }, 'a crash left the last line incomplete; it was never acknowledged and has been removed');

  if (isStateFrozen(stateDir)) logger.warn('frozen: every order that uses a key is refused until the operator has reconciled');

  if (freezes > 0) logger.warn(`${freezes} freezes are in force: nothing that they cover is signed until they are released`);

  for (const name of switches)
    logger.warn(`${SIGNER_SWITCHES[name]} is on: policies cannot read the full effect of ${SWITCHED[name]}`);

  if (arithmetic === 'portable')
    logger.warn('signing with portable JavaScript arithmetic: copies of a key may stay in this process until it ends');
  for (const fault of hardeningFaults(isCodeFixed)) logger.warn(`a protection is missing: ${fault}`);
}

/** Each function ends the process, because the state folder is read only at the start. */
const endingsWith = (logger: Logger) => ({
  onLost(fault?: unknown) {
    if (fault === undefined)
      logger.fatal('another signer has taken over the state folder: this signer ends, because it does not know later signatures');
    else
      logger.fatal(
        { err: fault },
        'the state folder is unreachable: this signer ends, because another signer may take the folder',
      );
    process.exit(1);
  },
  onBroken(cause: Error) {
    logger.fatal(
      { err: cause },
      'the state folder accepts no more writes: the signer ends, so that a new start reads the folder again',
    );
    process.exit(1);
  },
  onReplicaLost(cause: Error) {
    logger.fatal({ err: cause }, 'the replica belongs to another signer now or has other lines: this signer ends');
    process.exit(1);
  },
});

async function endUnsettled(error: unknown, close: () => Promise<void>, { release }: FolderLease): Promise<never> {
  await close();
  release();
  throw error;
}

async function main(): Promise<void> {
  process.umask(0o077);
  const config = readSignerConfig();
  const logger = createLogger('signer', config.logLevel);
  if (hasKeyFromEnvironment(config.keks)) {
    logger.warn('A KEY-ENCRYPTION KEY IS READ FROM THE ENVIRONMENT, which other processes can read: for development only');
  }
  const addon = openAddon(config);
  const places = [config.place, ...(config.replica ? [config.replica.place] : [])];
  const isCodeFixed = confine(
    addon,
    places.some((place) => 'host' in place),
  );
  const kek = await openKeks(config.keks, addon);
  const signing = openSigning(addon, kek);
  preparePrivateFolder(config.stateDir);
  if ('path' in config.place) preparePrivateFolder(dirname(config.place.path), 0o027);
  const { onLost, onBroken, onReplicaLost } = endingsWith(logger);
  const epoch = await takeFolderLease(join(config.stateDir, 'epochs'), { standsBy: config.standsBy, onLost });
  if (epoch.mustCopy) logger.warn('taking over from a signer that shows no sign of life: its later writes have no effect');

  const { stateDir, operatorKey } = config;
  const replicated = { stateDir, kek, operatorKey, address: config.replica, logger, onLost: onReplicaLost };
  const replication = await judgeReplication(replicated).catch((error: unknown) => {
    // Nothing was written, so the next process need not copy the files.
    if (!epoch.mustCopy) epoch.release();
    throw error;
  });
  const { operations, journal, freezes, charters, keyStores, attestor, close } = await openOperations({
    stateDir,
    kek,
    signing,
    switches: config.switches,
    nowMs: () => Date.now(),
    operatorKey,
    onBroken,
    fence: epoch,
    replica: replication.link,
  });
  epoch.hold();
  await replication.settle(journal).catch((error: unknown) => endUnsettled(error, close, epoch));
  warnOfStart(logger, config, {
    tornBytes: journal.tornBytes,
    freezes: freezes.size,
    arithmetic: signing.arithmetic,
    isCodeFixed,
  });
  const offers = watchCharters(stateDir, { ...charters, ...keyStores }, logger);
  const server = await startServer(config.place, config.authKey, operations, logger, epoch.isHeld);

  endAtSignal(logger, async () => {
    await server.stop();
    // While the replica is away, no entry can become durable, and closing the journal would wait for ever.
    if (replication.link?.isHere ?? true) {
      await offers.close();
      await close();
    }
    replication.link?.close();
    epoch.release();
    logger.info('signer stopped');
  });
  const { kekId, journalEntries: keys, logEntries: signatures } = operations.health();
  const place = 'path' in config.place ? config.place.path : `tls://${config.place.host}:${config.place.port}`;
  void journal.index.check();
  const attestationKey = attestor.publicKeyHex;
  logger.info({ socket: place, kekId, keys, signatures, epoch: epoch.number, attestationKey }, 'signer ready');
}

const FORESEEN = [ConfigError, StartError, KekUnavailable];

runMain(main, (error) => reportFault(error, 'The signer does not start: ', FORESEEN));
