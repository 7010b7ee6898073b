import { setTimeout as delay } from 'node:timers/promises';
import { spawnTied } from './tied-process';

/** `npm start` waits equally long for its processes: a slow machine may need minutes to start a node that was killed. */
const ANSWERS_WITHIN_MS = 240_000;
/** Before the node stops, it writes its whole state to disk. */
const STOPS_WITHIN_MS = 8_000;

/**
 * Starts the program, and waits until the node responds. The returned function ends the program. If the program later ends for
 * another reason, `startNodeProgram` calls `onDeath`.
 */
export async function startNodeProgram(
  command: string,
  args: readonly string[],
  answers: () => Promise<boolean>,
  onDeath: (reason: string) => void,
): Promise<() => Promise<void>> {
  const child = spawnTied(command, args);
  let wanted = true;
  let fault: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      fault = reason;
      resolve();
    };
    child.once('error', (error) => end(`the node cannot be started from ${command}: ${error.message}`));
    child.once('exit', (code, signal) => end(`the node ended unexpectedly (${signal ?? `exit code ${code}`})`));
  });
  async function stop(): Promise<void> {
    wanted = false;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  }

  const deadline = performance.now() + ANSWERS_WITHIN_MS;
  for (;;) {
    if (fault !== undefined) throw new Error(fault);
    if (await answers().catch(() => false)) break;
    if (performance.now() > deadline) {
      await stop();
      throw new Error(`the node did not answer within ${ANSWERS_WITHIN_MS} ms`);
    }
    await delay(20);
  }
  void ended.then(() => {
    if (wanted) onDeath(fault ?? 'the node ended');
  });
  return stop;
}
