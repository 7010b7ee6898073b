import { ConfigError } from './config';
import type { Logger } from './logger';

/** Resolves at the first SIGTERM or SIGINT. Ctrl-C can send both signals to a process, so the second signal is ignored. */
export function endSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}

export function endAtSignal(logger: Logger, stop: () => Promise<void>): void {
  const end = async () => {
    const signal = await endSignal();
    logger.info({ signal }, 'stopping');
    await stop();
  };
  end().then(
    () => process.exit(0),
    (error: unknown) => {
      logger.fatal({ err: error }, 'stopping failed');
      process.exit(1);
    },
  );
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Prints an expected fault as one sentence, and an unexpected fault with its stack. */
export function reportFault(error: unknown, before = '', foreseen: readonly ErrorClass[] = [ConfigError]): void {
  const { message, stack } = error instanceof Error ? error : new Error('unknown fault');
  const isForeseen = foreseen.some((known) => error instanceof known) || (error instanceof Error && 'syscall' in error);
  process.stderr.write(`${before}${isForeseen ? message : (stack ?? message)}\n`);
}

export function runMain(main: () => Promise<void>, report: (error: unknown) => void = reportFault): void {
  main().catch((error: unknown) => {
    report(error);
    process.exit(1);
  });
}
