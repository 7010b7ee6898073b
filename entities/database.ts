import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { escapeLiteral, type Pool } from 'pg';
import { DataSource, type QueryResult, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { invariant } from '../domain/errors';
import { reach } from '../platform/points';
import { CONNECT_TIMEOUT_MS } from './connect-timeout';
import { createHotReads } from './hot-reads';
import { PlannedClient } from './planned-client';
import type { SqlValue } from './read-message';

export type EntityClass<E> = new () => E;
type Values<E> = { [K in keyof E]?: E[K] };

/** Reads the rows of one organisation, either inside a transaction or as hot reads (`Database.read`). */
export type Reader = {
  /** `tail` is the rest of the statement after the table `t`. */
  readonly rows: <E extends object>(entity: EntityClass<E>, tail: string, values?: readonly SqlValue[]) => Promise<E[]>;
  readonly row: <E extends object>(entity: EntityClass<E>, tail: string, values?: readonly SqlValue[]) => Promise<E | undefined>;
  /** The statement may join tables, and lists its columns. */
  readonly select: <R extends object>(sql: string, values?: readonly SqlValue[]) => Promise<R[]>;
};

/**
 * One transaction of one organisation. A call without a result resolves before its statement has run, because the statement is
 * sent together with the next statement. If such a statement fails, the transaction fails with the error of that statement.
 */
export type Tx = Reader & {
  readonly orgId: string;
  readonly insert: <E extends object>(entity: EntityClass<E>, values: Values<E> | readonly Values<E>[]) => Promise<void>;
  /** Does nothing if the table already contains one of the row's unique keys. */
  readonly ensure: <E extends object>(entity: EntityClass<E>, values: Values<E>) => Promise<void>;
  /** For a statement whose result is not needed. */
  readonly run: (sql: string, values: readonly unknown[]) => Promise<void>;
  readonly set: <E extends object>(entity: EntityClass<E>, where: Values<E>, set: Values<E>) => Promise<void>;
  /** Returns false if the table already contains one of the row's unique keys. */
  readonly insertOnce: <E extends object>(entity: EntityClass<E>, values: Values<E>) => Promise<boolean>;
  /** Returns the number of updated rows. */
  readonly update: <E extends object>(entity: EntityClass<E>, where: Values<E>, set: Values<E>) => Promise<number>;
  readonly remove: <E extends object>(entity: EntityClass<E>, where: Values<E>) => Promise<number>;
  /** For statements that the entity calls cannot express. Returns the rows of a SELECT or of a RETURNING clause. */
  readonly query: <R extends object>(sql: string, values?: readonly unknown[]) => Promise<R[]>;
  /** The current time by the database's clock, not the start time of the transaction (S17). */
  readonly clock: () => Promise<Date>;
};

export type Database = {
  /** The transaction sees and writes only the rows of this organisation (S15). Calls must not nest. */
  readonly withOrg: <T>(orgId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * A hot read is a SELECT outside a transaction of the caller. Hot reads that are issued without an await between the calls are
   * sent as one message.
   */
  readonly read: (orgId: string) => Reader;
  /** Throws unless the server responds. */
  readonly ping: () => Promise<void>;
  readonly pools: () => Readonly<Record<'read' | 'write', PoolState>>;
  readonly close: () => Promise<void>;
};

/** Counts of connections, and of callers that wait for a connection. */
export type PoolState = { readonly inUse: number; readonly idle: number; readonly waiting: number };

type Options = {
  readonly url: string;
  readonly entities: readonly EntityClass<object>[];
  readonly poolMax: number;
  readonly applicationName: string;
};

const STATEMENT_TIMEOUT_MS = 15_000;
const stateOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolState => ({
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});
const inTransaction = new AsyncLocalStorage<true>();

type SelectOf = (entity: EntityClass<object>) => string;

function createSelects(source: DataSource): SelectOf {
  const selects = new Map<EntityClass<object>, string>();
  return (entity) => {
    const known = selects.get(entity);
    if (known) return known;
    const meta = source.getMetadata(entity);
    const columns = meta.columns.map((column) => `t.${column.databaseName} AS "${column.propertyName}"`);
    const text = `SELECT ${columns.join(', ')} FROM ${meta.tableName} t`;
    selects.set(entity, text);
    return text;
  };
}

function readerOver(selectOf: SelectOf, run: (sql: string, values: readonly SqlValue[]) => Promise<object[]>): Reader {
  const rows: Reader['rows'] = async <E extends object>(entity: EntityClass<E>, tail: string, values: readonly SqlValue[] = []) =>
    (await run(`${selectOf(entity)} ${tail}`, values)) as E[];
  return {
    rows,
    row: async (entity, tail, values) => (await rows(entity, tail, values))[0],
    select: async <R extends object>(sql: string, values: readonly SqlValue[] = []) => (await run(sql, values)) as R[],
  };
}

/** `isOver` is true once COMMIT or ROLLBACK is sent. No statement may follow. */
type Turn = { readonly sent: Promise<unknown>[]; isOver: boolean };

function sendIn({ sent }: Turn, statement: Promise<unknown>): void {
  sent.push(statement);
  statement.catch(() => undefined); // `transact` awaits the statement and handles its error
}

function txOver(selectOf: SelectOf, runner: QueryRunner, orgId: string, turn: Turn): Tx {
  const send = (statement: Promise<unknown>): void => sendIn(turn, statement);
  // Every statement passes here, so the connection receives the statements in the order of the calls.
  const run = async (sql: string, values: readonly unknown[]): Promise<QueryResult<object>> => {
    // A statement after the end would run outside the transaction. A branch of the work can send such a statement after another
    // branch has failed.
    invariant(!turn.isOver, 'a statement came after the end of its transaction');
    return runner.query(sql, [...values], true);
  };
  const build = (builder: { getQueryAndParameters: () => [string, unknown[]] }) => run(...builder.getQueryAndParameters());
  const query = async <R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await run(sql, values)).records as R[];
  const { manager } = runner;
  const inserting = <E extends object>(entity: EntityClass<E>, values: Values<E> | readonly Values<E>[]) =>
    manager
      .createQueryBuilder()
      .insert()
      .into(entity)
      .values(values as never);
  const updating = <E extends object>(entity: EntityClass<E>, where: Values<E>, set: Values<E>) =>
    build(
      manager
        .createQueryBuilder()
        .update(entity)
        .set(set as never)
        .where({ orgId, ...where }),
    );
  return {
    ...readerOver(selectOf, (sql, values) => query(sql, values)),
    orgId,
    query,
    run: async (sql, values) => send(run(sql, values)),
    insert: async (entity, values) => send(build(inserting(entity, values))),
    ensure: async (entity, values) => send(build(inserting(entity, values).orIgnore())),
    insertOnce: async (entity, values) => {
      const { records } = await build(inserting(entity, values).orIgnore().returning('1'));
      return records.length > 0;
    },
    set: async (entity, where, set) => send(updating(entity, where, set)),
    update: async (entity, where, set) => (await updating(entity, where, set)).affected ?? 0,
    remove: async (entity, where) => {
      const removing = manager
        .createQueryBuilder()
        .delete()
        .from(entity)
        .where({ orgId, ...where });
      return (await build(removing)).affected ?? 0;
    },
    clock: async () => {
      const [row] = await query<{ now: Date }>('SELECT clock_timestamp() AS now');
      invariant(row, 'the database has a clock');
      return row.now;
    },
  };
}

async function transact<T>(source: DataSource, selectOf: SelectOf, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  const turn: Turn = { sent: [], isOver: false };
  const tx = txOver(selectOf, runner, orgId, turn);
  let result: T;
  try {
    // These statements are sent together with the first statement of the work. If the server refuses them, no organisation is
    // set, and row-level security hides every row. `synchronous_commit` is set here because an acknowledged commit must survive a
    // crash (S5).
    const org = escapeLiteral(orgId);
    sendIn(
      turn,
      runner.query(`BEGIN; SELECT set_config('strongroom.org_id', ${org}, true), set_config('synchronous_commit', 'on', true)`),
    );
    await reach('opened', tx);
    result = await work(tx);
    await reach('committing', tx);
    // After a failed statement, Postgres silently rolls back when it receives a COMMIT. If the work has caught the error, the
    // rollback would look like success. So the message begins with a SELECT, which fails in this case.
    turn.isOver = true;
    sendIn(turn, runner.query('SELECT 1; COMMIT'));
    await Promise.all(turn.sent);
  } catch (error) {
    turn.isOver = true;
    await runner.query('ROLLBACK').catch(() => undefined); // fails only if the connection is lost; the transaction is then lost
    // Later statements fail only because of the first failure.
    const failed = (await Promise.allSettled(turn.sent)).find(({ status }) => status === 'rejected');
    throw failed === undefined ? error : (failed as PromiseRejectedResult).reason;
  } finally {
    await runner.release();
  }
  await reach('committed', tx);
  return result;
}

/** TypeORM's pool serves transactions, and a plain pool serves hot reads. */
export async function openDatabase({ url, entities, poolMax, applicationName }: Options): Promise<Database> {
  const source = new DataSource({
    type: 'postgres',
    url,
    entities: [...entities],
    poolSize: poolMax,
    applicationName,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: { statement_timeout: STATEMENT_TIMEOUT_MS, Client: PlannedClient },
    installExtensions: false,
  });
  await source.initialize();
  const { pool, ask } = createHotReads({
    connectionString: url,
    max: poolMax,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  const { master: writes } = source.driver as PostgresDriver & { readonly master: Pool };
  const selectOf = createSelects(source);

  return {
    withOrg: (orgId, work) => {
      invariant(
        inTransaction.getStore() === undefined,
        'withOrg must not nest: the inner call would wait for the connection of the outer call',
      );
      return inTransaction.run(true, () => transact(source, selectOf, orgId, work));
    },
    read: (orgId) => readerOver(selectOf, (sql, values) => ask(orgId, sql, values)),
    pools: () => ({ read: stateOf(pool), write: stateOf(writes) }),
    ping: async () => {
      await pool.query('SELECT 1');
    },
    close: async () => {
      await Promise.all([source.destroy(), pool.end()]);
    },
  };
}
