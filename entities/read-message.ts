import { type Connection, type Submittable, types } from 'pg';
import { AppError, invariant } from '../domain/errors';

export type SqlValue = string | number | boolean | null | Date | readonly string[];

/** A statement and its values in the format of the wire protocol. */
export type Question = { readonly text: string; readonly values: readonly (string | null)[] };

type Field = { readonly name: string; readonly parse: (text: string) => unknown };
type RowDescription = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };

/** SQL: makes the transaction read-only and shows only the rows of one organisation (S15). */
const SCOPE = `SELECT set_config('transaction_read_only', 'on', true), set_config('strongroom.org_id', $1, true)`;
/**
 * SQL: makes the server plan the following statements of the same message for their actual values, even if it has parsed the
 * statements before.
 */
export const PLAN_FOR_VALUES = `SELECT set_config('plan_cache_mode', 'force_custom_plan', true)`;
/**
 * SQL: makes the server read rows in the order of an index, for the following statements of the same message. The server
 * underestimates the number of rows of a large organisation, and would otherwise sort all remaining rows of a list for each page.
 */
const PLAN_IN_ORDER = `SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** `read` must issue its statement before it waits for anything. */
export async function inIndexOrder<T>(reader: { select: (sql: string) => Promise<unknown> }, read: () => Promise<T>): Promise<T> {
  const [, found] = await Promise.all([reader.select(PLAN_IN_ORDER), read()]);
  return found;
}

/**
 * The code contains fewer different statements than this. A higher number means that some code writes values into the text of its
 * statements.
 */
const STATEMENTS_MAX = 500;
const names = new Map<string, string>();

/** Each parsed statement of a connection, with the fields of its rows. */
const parsed = new WeakMap<Connection, Map<string, readonly Field[]>>();

/**
 * Several SELECTs of one organisation as one message. The server runs the message in one transaction. Each connection parses and
 * plans a statement once, because statements have values only as parameters. After a failure the connection must be discarded,
 * because it is uncertain which statements the server has parsed.
 */
export class ReadMessage implements Submittable {
  readonly answer: Promise<readonly object[][]>;
  private readonly questions: readonly Question[];
  private readonly rows: object[][];
  private readonly learnt = new Map<string, readonly Field[]>();
  private known = new Map<string, readonly Field[]>();
  private fields: readonly Field[] | undefined;
  private at = 0;
  private failed = false;
  private resolve!: (rows: readonly object[][]) => void;
  private reject!: (error: unknown) => void;

  constructor(orgId: string, questions: readonly Question[]) {
    this.questions = [{ text: SCOPE, values: [orgId] }, ...questions];
    this.rows = this.questions.map(() => []);
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.known = parsed.get(connection) ?? new Map();
    parsed.set(connection, this.known);
    connection.stream.cork();
    for (const { text, values: given } of this.questions) {
      const statement = nameOf(text);
      const values = [...given];
      if (!this.known.has(statement) && !this.learnt.has(statement)) {
        connection.parse({ name: statement, text, types: [] }, true);
        connection.bind({ statement, values }, true);
        connection.describe({ type: 'P', name: '' }, true);
        this.learnt.set(statement, []);
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
    this.learnt.set(this.statement(), described);
  }

  handleDataRow({ fields: texts }: { readonly fields: readonly (string | null)[] }): void {
    this.fields ??= this.learnt.get(this.statement()) ?? this.known.get(this.statement()) ?? [];
    const row: Record<string, unknown> = {};
    for (const [at, { name, parse }] of this.fields.entries()) {
      const text = texts[at];
      row[name] = text === null || text === undefined ? null : parse(text);
    }
    this.rows[this.at]?.push(row);
  }

  handleCommandComplete(): void {
    this.at += 1;
    this.fields = undefined;
  }

  handleReadyForQuery(): void {
    if (this.failed) return;
    for (const [statement, fields] of this.learnt) this.known.set(statement, fields);
    this.resolve(this.rows.slice(1));
  }

  handleError(error: unknown): void {
    this.failed = true;
    this.reject(error);
  }

  private statement(): string {
    return nameOf(this.questions[this.at]?.text ?? '');
  }
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  invariant(names.size < STATEMENTS_MAX, 'a read passes its values as parameters, not in its text');
  const name = `read-${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Encodes a value in text form (PostgreSQL, "Array Input and Output Syntax"). Postgres infers the type from the position of the
 * parameter.
 */
export function encodeValue(value: SqlValue): string | null {
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
