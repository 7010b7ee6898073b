import type { PoolClient } from 'pg';
import { type Answer, Message, type Question } from './read-message';

type Asked = Question & {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/** The statements of one transaction on its connection. */
export type Pipeline = {
  /** Statements that are asked without waiting in between travel together, and so does all that is asked while a message is under way. */
  readonly ask: (question: Question) => Promise<Answer>;
  /** Behind everything that was asked. Fails when any of it has failed, whoever has swallowed that. */
  readonly commit: () => Promise<void>;
  /** Ends the transaction without a trace, once what is under way is over. */
  readonly rollBack: () => Promise<void>;
};

/**
 * Carries statements in the order in which they are asked. After a failed one nothing more is sent: its transaction is lost. Nor
 * is anything after the end, when the connection may already serve somebody else's transaction.
 */
export function createPipeline(client: PoolClient): Pipeline {
  const waiting: Asked[] = [];
  let under: Promise<void> | undefined;
  let ended = false;
  let failure: { readonly cause: unknown; readonly message: Message } | undefined;

  const sendOne = async (asked: readonly Asked[]): Promise<void> => {
    if (failure) {
      // Postgres would answer a COMMIT here with a silent rollback, which would look like success.
      const error = new Error('current transaction is aborted: an earlier statement of it failed', { cause: failure.cause });
      for (const { reject } of asked) reject(error);
      return;
    }
    const message = new Message(asked);
    try {
      client.query(message);
      await message.done;
    } catch (error) {
      failure = { cause: error, message };
    }
    for (const [at, { resolve, reject }] of asked.entries()) {
      const answer = message.answers[at];
      if (answer) resolve(answer);
      else reject(failure?.cause);
    }
  };

  const send = async (): Promise<void> => {
    await Promise.resolve(); // whatever is asked in the same turn goes along
    while (waiting.length > 0) await sendOne(waiting.splice(0));
    under = undefined;
  };

  const ask = (question: Question): Promise<Answer> => {
    const answer = new Promise<Answer>((resolve, reject) => {
      if (ended) reject(new Error('the transaction has ended'));
      else waiting.push({ ...question, resolve, reject });
    });
    // Somebody who asks for several things and fails over the first has no ear for the others.
    answer.catch(() => undefined);
    under ??= send();
    return answer;
  };

  return {
    ask,

    commit: async () => {
      const committed = ask({ text: 'COMMIT', values: [] });
      ended = true;
      await committed;
    },

    rollBack: async () => {
      ended = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('the transaction has ended'));
      await under;
      failure?.message.forgetStatements();
      await client.query(failure ? 'ROLLBACK; DEALLOCATE ALL' : 'ROLLBACK');
    },
  };
}
