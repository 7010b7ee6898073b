import { Client, type ClientConfig } from 'pg';

/**
 * The most statements whose plan a connection caches. A statement beyond this number is planned at each use. It is likely to be
 * generated text, which is never reused.
 */
const NAMES_MAX = 1_000;
const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  const name = `w${names.size + 1}`;
  names.set(text, name);
  return name;
};

/**
 * A connection that names every statement with parameters, so that the server parses it once and keeps its plan, as the hot
 * reads do (decision 8). With row-level security, planning costs more than running most statements. Statements that are issued
 * in one turn of the event loop are sent as one message. The server responds in order, and after a failure it refuses the rest
 * of the transaction.
 */
export class PlannedClient extends Client {
  private isGathering = false;

  constructor(config?: string | ClientConfig) {
    super({ ...(typeof config === 'string' ? { connectionString: config } : config), pipeline: true });
  }

  // Accepts the arguments of every overload of the library's method, and returns its result.
  override query(...asked: readonly unknown[]): never {
    this.gather();
    const [text, values, ...rest] = asked;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(...(asked as [string])) as never;
    return super.query(...([{ name: nameOf(text), text, values }, ...rest] as [never])) as never;
  }

  private gather(): void {
    if (this.isGathering) return;
    const { stream } = this.connection;
    this.isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}
