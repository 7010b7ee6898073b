import { reportFault, runMain } from '../platform/process-end';

/** Runs a program of the local trial; a fault that prevents its start is printed as one line for the reader of the trial's output. */
export function runProgram(main: () => Promise<void>): void {
  runMain(main, (error) => reportFault(error, '', [Error]));
}
