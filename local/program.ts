import { reportFault, runMain } from '../platform/process-end';

/** An error that prevents the start is printed on a single line. */
export function runProgram(main: () => Promise<void>): void {
  runMain(main, (error) => reportFault(error, '', [Error]));
}
