import { type Connection, type Submittable, types } from 'pg';
import { AppError, invariant } from '../domain/errors';

export type SqlValue = string | number | boolean | null | Date | readonly string[];

/** `values` in the form in which they travel. */
export type Question = {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** For a text that may never come again: the server parses and plans it for this once. */
  readonly once?: boolean;
};

/** `count` is how many rows the statement wrote, or read. */
export type Answer = { readonly rows: object[]; readonly count: number };

type Field = { readonly name: string; readonly parse: (text: string) => unknown };
type RowDescription = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };

/** In one transaction that can only read, and that sees the rows of one organisation alone (S15). */
const SCOPE = `SELECT set_config('transaction_read_only', 'on', true), set_config('strongroom.org_id', $1, true)`;
/** More different statements than the code has would mean that one of them holds a value in its text. */
const STATEMENTS_MAX = 500;
const names = new Map<string, string>();

/** The statements that a connection has parsed before, with the fields of their rows. */
const parsed = new WeakMap<Connection, Map<string, readonly Field[]>>();

/**
 * Several statements as one message; the first that fails ends it. Statements are named, so each connection parses and plans
 * them once; values are parameters. After a failure the connection's statements must be forgotten on both sides: which names
 * it knows is not certain.
 */
export class Message implements Submittable {
  /** All answers, or the first failure. */
  readonly done: Promise<readonly Answer[]>;
  /** As far as they have come. */
  readonly answers: Answer[] = [];
  private rows: object[] = [];
  private readonly learnt = new Map<string, readonly Field[]>();
  private known = new Map<string, readonly Field[]>();
  private fields: readonly Field[] | undefined;
  private failed = false;
  private connection: Connection | undefined;
  private resolve!: (answers: readonly Answer[]) => void;
  private reject!: (error: unknown) => void;

  constructor(private readonly questions: readonly Question[]) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.connection = connection;
    this.known = parsed.get(connection) ?? new Map();
    parsed.set(connection, this.known);
    connection.stream.cork();
    for (const { text, values: given, once } of this.questions) {
      const statement = once ? '' : nameOf(text);
      const values = [...given];
      if (once || (!this.known.has(statement) && !this.learnt.has(statement))) {
        connection.parse({ name: statement, text, types: [] }, true);
        connection.bind({ statement, values }, true);
        connection.describe({ type: 'P', name: '' }, true);
        if (!once) this.learnt.set(statement, []);
      } else {
        connection.bind({ statement, values }, true);
      }
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: RowDescription): void {
    const described = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID, 'text') }));
    const question = this.questions[this.answers.length];
    if (question && !question.once) this.learnt.set(nameOf(question.text), described);
    this.fields = described;
  }

  handleDataRow({ fields: texts }: { readonly fields: readonly (string | null)[] }): void {
    this.fields ??= this.fieldsKnown();
    const row: Record<string, unknown> = {};
    for (const [at, { name, parse }] of this.fields.entries()) {
      const text = texts[at];
      row[name] = text === null || text === undefined ? null : parse(text);
    }
    this.rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.answers.push({ rows: this.rows, count: Number(/ (\d+)$/.exec(text)?.[1] ?? 0) });
    this.rows = [];
    this.fields = undefined;
  }

  handleReadyForQuery(): void {
    if (this.failed) return;
    for (const [statement, fields] of this.learnt) this.known.set(statement, fields);
    this.resolve(this.answers);
  }

  handleError(error: unknown): void {
    this.failed = true;
    this.reject(error);
  }

  /** To be called when the server is told to forget every statement of this connection. */
  forgetStatements(): void {
    if (this.connection) parsed.delete(this.connection);
  }

  private fieldsKnown(): readonly Field[] {
    const name = nameOf(this.questions[this.answers.length]?.text ?? '');
    return this.learnt.get(name) ?? this.known.get(name) ?? [];
  }
}

/** SELECTs of one organisation as one message, which until its end is one transaction bound to the organisation. */
export function readMessage(orgId: string, questions: readonly Question[]): Message {
  return new Message([{ text: SCOPE, values: [orgId] }, ...questions]);
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  invariant(names.size < STATEMENTS_MAX, 'a read has its values beside its text, not in it');
  const name = `read-${names.size}`;
  names.set(text, name);
  return name;
}

/** As `encode`, for whatever a statement that writes has beside its text; what is none of the plain values becomes JSON. */
export function encodeWritten(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(itemOf).join(',')}}`;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return textOf(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function itemOf(item: unknown): string {
  const text = encodeWritten(item);
  return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The text form of a value (PostgreSQL, "Array Input and Output Syntax"); Postgres takes the type from where it stands. */
export function encode(value: SqlValue): string | null {
  if (value === null) return null;
  if (typeof value === 'number') invariant(Number.isSafeInteger(value), 'only whole numbers go into SQL');
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return textOf(String(value));
  return `{${value.map((item) => `"${textOf(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function textOf(value: string): string {
  if (value.includes('\u0000')) throw new AppError('InvalidRequest', 'Text must not contain a zero character');
  return value;
}
