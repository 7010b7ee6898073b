import { reportFault, runMain } from '../platform/process-end';

/** Prints an error that prevents the start as one line. */
export function runProgram(main: () => Promise<void>): void {
  runMain(main, (error) => reportFault(error, '', [Error]));
}
