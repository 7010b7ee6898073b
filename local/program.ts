import { reportFault, runMain } from '../platform/process-end';

/** A program of the local trial: what it cannot start with is written in one line, for whoever reads the trial's output. */
export function runProgram(main: () => Promise<void>): void {
  runMain(main, (error) => reportFault(error, '', [Error]));
}
