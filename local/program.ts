import { reportFault, runMain } from '../platform/process-end';

/** Runs a program of the local trial. An error that prevents the start is printed as one line. */
export function runProgram(main: () => Promise<void>): void {
  runMain(main, (error) => reportFault(error, '', [Error]));
}
