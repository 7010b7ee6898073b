import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Program<Ask, Answer> = {
  readonly pid: number;
  /** Sends `message`, and resolves with the next message from the program. */
  readonly ask: (message: Ask) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

/**
 * Runs a file of bench/ in a separate process, so that the cost of the program can be measured separately. The process handles
 * one message at a time.
 */
export function startProgram<Ask extends object, Answer>(name: string, env: NodeJS.ProcessEnv = {}): Program<Ask, Answer> {
  const child = fork(join(__dirname, `${name}.js`), { env: { ...env, NODE_ENV: 'production' }, stdio: 'inherit' });
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    ask: async (message) => {
      const answer = once(child, 'message');
      child.send(message);
      const [value] = await Promise.race([
        answer,
        ended.then(([code]) => Promise.reject(new Error(`the process ${name} ended with ${code}`))),
      ]);
      return value as Answer;
    },
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}

/** Replies to the parent's messages in the process that `startProgram` starts, until the parent disconnects. */
export function serveParent<Ask, Answer>(handle: (message: Ask) => Promise<Answer>): void {
  process.on('message', (message) => {
    handle(message as Ask).then(
      (answer) => process.send?.(answer ?? {}),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.once('disconnect', () => process.exit(0));
}
