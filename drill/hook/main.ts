import { isMainThread } from 'node:worker_threads';
import { hookConfig } from './config';
import { reachedOver } from './gate-client';
import { reportPoints } from './report-points';

/** Loaded into a process of the service before its own code (`--require`). Its worker threads report no points. */
if (isMainThread) {
  const { DRILL_GATE_URL, DRILL_STEP } = hookConfig();
  reportPoints(reachedOver(DRILL_GATE_URL), DRILL_STEP);
}
