import { Client, type ClientConfig } from 'pg';

/**
 * A connection caches the plans of at most this many statements. A further statement is probably generated text that is never
 * used again.
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
 * A connection that gives a name to every statement with parameters. The server then parses each statement only once and keeps
 * its plan (decision 8). With row-level security, planning a statement usually costs more than running it. Statements that are
 * issued in one turn of the event loop are sent as one message. The server responds in order, and refuses the rest of the
 * transaction after a failure.
 */
export class PlannedClient extends Client {
  private isGathering = false;

  constructor(config?: string | ClientConfig) {
    super({ ...(typeof config === 'string' ? { connectionString: config } : config), pipeline: true });
  }

  // Accepts the arguments of every overload of the library's method.
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
