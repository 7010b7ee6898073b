import { isMainThread } from 'node:worker_threads';
import { hookConfig } from './config';
import { reachedOver } from './gate-client';
import { reportPoints } from './report-points';

/** The drill loads this file into a process of the service by `--require`. Only the main thread reports points. */
if (isMainThread) {
  const { DRILL_GATE_SOCKET, DRILL_STEP } = hookConfig();
  reportPoints(reachedOver(DRILL_GATE_SOCKET), DRILL_STEP);
}
