import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { escapeLiteral, type Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { invariant } from '../domain/errors';
import { reach } from '../platform/points';
import { CONNECT_TIMEOUT_MS } from './connect-timeout';
import { createHotReads } from './hot-reads';
import { PlannedClient } from './planned-client';
import type { SqlValue } from './read-message';

export type EntityClass<E> = new () => E;
type Values<E> = { [K in keyof E]?: E[K] };

/** Rows of one organisation, either inside a transaction or through the hot read path. */
export type Reader = {
  /** Whole rows of an entity; `tail` is everything behind FROM, with `$1`… for values. */
  readonly rows: <E extends object>(entity: EntityClass<E>, tail: string, values?: readonly SqlValue[]) => Promise<E[]>;
  readonly row: <E extends object>(entity: EntityClass<E>, tail: string, values?: readonly SqlValue[]) => Promise<E | undefined>;
  /** One SELECT over several tables, columns named by the statement itself. */
  readonly select: <R extends object>(sql: string, values?: readonly SqlValue[]) => Promise<R[]>;
};

/** One transaction of one organisation. */
export type Tx = Reader & {
  readonly orgId: string;
  readonly insert: <E extends object>(entity: EntityClass<E>, values: Values<E> | readonly Values<E>[]) => Promise<void>;
  /** Inserts unless a unique key is taken already; answers whether a row was written. */
  readonly insertOnce: <E extends object>(entity: EntityClass<E>, values: Values<E>) => Promise<boolean>;
  /** Changes every row that matches; answers how many. */
  readonly update: <E extends object>(entity: EntityClass<E>, where: Values<E>, set: Values<E>) => Promise<number>;
  readonly remove: <E extends object>(entity: EntityClass<E>, where: Values<E>) => Promise<number>;
  /** Plain SQL for what the entity calls cannot say; answers the rows (of RETURNING, for a writing statement). */
  readonly query: <R extends object>(sql: string, values?: readonly unknown[]) => Promise<R[]>;
  /** The database's clock now, not the start of the transaction (S17). */
  readonly clock: () => Promise<Date>;
};

export type Database = {
  /** Runs work in one transaction that sees and writes the rows of this organisation alone (S15). Never nests. */
  readonly withOrg: <T>(orgId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Hot reads: the organisation and every SELECT that is asked for in one go travel as one message. */
  readonly read: (orgId: string) => Reader;
  /** Answers when the server does; throws otherwise. */
  readonly ping: () => Promise<void>;
  readonly pools: () => Readonly<Record<'read' | 'write', PoolState>>;
  readonly close: () => Promise<void>;
};

/** Connections of one pool, and how many callers wait for one. */
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

/** The beginning of a statement that reads whole rows of an entity. */
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

function txOver(selectOf: SelectOf, manager: EntityManager, orgId: string): Tx {
  const query = async <R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> => {
    const result: unknown = await manager.query(sql, [...values]);
    // TypeORM answers [rows, count] for UPDATE and DELETE, and rows for everything else.
    return (/^\s*(UPDATE|DELETE)\b/i.test(sql) ? (result as [R[], number])[0] : result) as R[];
  };
  return {
    ...readerOver(selectOf, (sql, values) => query(sql, values)),
    orgId,
    query,
    insert: async (entity, values) => {
      await manager
        .createQueryBuilder()
        .insert()
        .into(entity)
        .values(values as never)
        .updateEntity(false)
        .execute();
    },
    insertOnce: async (entity, values) => {
      const builder = manager
        .createQueryBuilder()
        .insert()
        .into(entity)
        .values(values as never)
        .orIgnore()
        .updateEntity(false);
      const { raw } = await builder.returning('1').execute();
      return (raw as unknown[]).length > 0;
    },
    update: async (entity, where, set) =>
      (await manager.update(entity, { orgId, ...where } as never, set as never)).affected ?? 0,
    remove: async (entity, where) => (await manager.delete(entity, { orgId, ...where } as never)).affected ?? 0,
    clock: async () => {
      const [row] = await query<{ now: Date }>('SELECT clock_timestamp() AS now');
      invariant(row, 'the database has a clock');
      return row.now;
    },
  };
}

async function transact<T>(source: DataSource, selectOf: SelectOf, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  const tx = txOver(selectOf, runner.manager, orgId);
  let result: T;
  try {
    // One message for both. A commit that is acknowledged must stand after a crash, whatever the server's or the role's
    // default says (S5).
    const org = escapeLiteral(orgId);
    await runner.query(
      `BEGIN; SELECT set_config('strongroom.org_id', ${org}, true), set_config('synchronous_commit', 'on', true)`,
    );
    await reach('opened', tx);
    result = await work(tx);
    await reach('committing', tx);
    // Postgres answers a COMMIT after a failed statement with a silent rollback, so that an error which the work has swallowed
    // would look like success. The SELECT fails there, in the same message.
    await runner.query('SELECT 1; COMMIT');
  } catch (error) {
    await runner.query('ROLLBACK').catch(() => undefined); // fails only where the connection, and so the transaction, is gone
    throw error;
  } finally {
    await runner.release();
  }
  await reach('committed', tx);
  return result;
}

/** Opens the two pools of a process: TypeORM for writes, a plain one for hot reads. */
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
      invariant(inTransaction.getStore() === undefined, 'withOrg must not nest: it would wait for a connection it holds');
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
