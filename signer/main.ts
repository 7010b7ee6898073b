import '../platform/no-debugger';
import { mkdirSync, statSync } from 'node:fs';
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
import type { Arithmetic } from './protocol';
import { takeFolderLease } from './record/folder-lease';
import { isStateFrozen } from './record/frozen-file';
import { StartError } from './start-error';
import { startServer } from './wire/server';

function preparePrivateFolder(path: string, forbidden = 0o077): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const mode = statSync(path).mode & 0o777;
  if ((mode & forbidden) === 0) return;
  const wanted = forbidden === 0o077 ? '0700' : '0700, or 0750 for a group that may reach the socket';
  throw new StartError(`${path} has mode 0${mode.toString(8)}; it must be ${wanted}`);
}

const hasKeyFromEnvironment = ({ active, old }: KekConfig) =>
  [active, ...old].some((source) => source.kind === 'local' && source.isFromEnvironment);

type Found = {
  readonly tornBytes: number;
  readonly freezes: number;
  readonly arithmetic: Arithmetic;
  readonly isCodeFixed: boolean;
};

/** Logs for the operator what is unusual about this start. */
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

async function main(): Promise<void> {
  process.umask(0o077);
  const config = readSignerConfig();
  const logger = createLogger('signer', config.logLevel);
  if (hasKeyFromEnvironment(config.keks)) {
    logger.warn('A KEY-ENCRYPTION KEY IS READ FROM THE ENVIRONMENT, which other processes can read: for development only');
  }
  const addon = openAddon(config);
  const isCodeFixed = confine(addon, !('path' in config.place));
  const kek = await openKeks(config.keks, addon);
  const signing = openSigning(addon, kek);
  preparePrivateFolder(config.stateDir);
  if ('path' in config.place) preparePrivateFolder(dirname(config.place.path), 0o027);
  const onLost = (fault?: unknown) => {
    if (fault === undefined)
      logger.fatal('another signer has taken over the state folder: this one ends, because it does not know later signatures');
    else
      logger.fatal({ err: fault }, 'the state folder is unreachable: this one ends, because another signer may take the folder');
    process.exit(1);
  };
  const epoch = await takeFolderLease(join(config.stateDir, 'epochs'), { standsBy: config.standsBy, onLost });
  if (epoch.mustCopy) logger.warn('taking over from a signer that shows no sign of life: its later writes have no effect');

  const onBroken = (cause: Error) => {
    logger.fatal(
      { err: cause },
      'the state folder accepts no more writes: the signer ends, so that a new start reads the folder again',
    );
    process.exit(1);
  };
  const { operations, journal, freezes, charters, attestor, close } = await openOperations({
    stateDir: config.stateDir,
    kek,
    signing,
    switches: config.switches,
    nowMs: () => Date.now(),
    operatorKey: config.operatorKey,
    onBroken,
    fence: epoch,
  });
  epoch.hold();
  warnOfStart(logger, config, {
    tornBytes: journal.tornBytes,
    freezes: freezes.size,
    arithmetic: signing.arithmetic,
    isCodeFixed,
  });
  const offers = watchCharters(config.stateDir, charters, logger);
  const server = await startServer(config.place, config.authKey, operations, logger, epoch.isHeld);

  endAtSignal(logger, async () => {
    await server.stop();
    await offers.close();
    await close();
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
