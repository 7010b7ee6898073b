import { Pool } from 'pg';
import { encodeValue, type Question, ReadMessage, type SqlValue } from './read-message';

type Asked = Question & {
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: unknown) => void;
};

export type HotReads = {
  readonly pool: Pool;
  readonly ask: (orgId: string, text: string, values: readonly SqlValue[]) => Promise<object[]>;
};

/** Hot reads of one organisation that are issued without an await between the calls take one round trip. */
export function createHotReads(options: ConstructorParameters<typeof Pool>[0]): HotReads {
  const pool = new Pool(options);
  // The pool replaces a broken connection at its next use. Without a listener the error event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const gathered = new Map<string, Asked[]>();

  const send = async (orgId: string, questions: readonly Question[]): Promise<readonly object[][]> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await client.query(new ReadMessage(orgId, questions)).answer;
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  };

  const carry = async (orgId: string, asked: readonly Asked[]): Promise<void> => {
    try {
      const answers = await send(orgId, asked);
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] ?? []);
    } catch (error) {
      // One failing query makes the whole message fail, so each query is then repeated in its own message.
      if (asked.length > 1) await Promise.all(asked.map((one) => carry(orgId, [one])));
      else for (const { reject } of asked) reject(error);
    }
  };

  return {
    pool,
    ask: (orgId, text, values) =>
      new Promise((resolve, reject) => {
        const asked: Asked = { text, values: values.map(encodeValue), resolve, reject };
        const waiting = gathered.get(orgId);
        if (waiting) {
          waiting.push(asked);
          return;
        }
        const begun = [asked];
        gathered.set(orgId, begun);
        queueMicrotask(() => {
          gathered.delete(orgId);
          void carry(orgId, begun);
        });
      }),
  };
}
