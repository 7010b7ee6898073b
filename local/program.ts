import type { Logger } from '../platform/logger';

/** Ends this process once `stop` has, at the first SIGTERM or SIGINT. Both reach it when somebody presses Ctrl-C, so it hears them once. */
export function endAtSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'it did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** A program of the local trial: what it cannot start with is written in one line, for whoever reads the trial's output. */
export function runProgram(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
