import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { invariant } from '../domain/errors';
import { entitySqlOf, type Sql } from './entity-sql';
import { createHotReads } from './hot-reads';
import { createPipeline, type Pipeline } from './pipeline';
import { encodeWritten, type SqlValue } from './read-message';

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

/** One transaction of one organisation. What is asked without waiting in between travels as one message and runs in that order. */
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

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const stateOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolState => ({
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});
/**
 * Who the transaction is for; a commit that is acknowledged must stand after a crash, whatever the server's or the role's default
 * says (S5).
 */
const SCOPE = `SELECT set_config('strongroom.org_id', $1, true), set_config('synchronous_commit', 'on', true)`;
const ignored = () => undefined;
const inTransaction = new AsyncLocalStorage<true>();

/** Opens the two pools of a process, for writes and for hot reads. What the columns are is known from TypeORM. */
export async function openDatabase({ url, entities, poolMax, applicationName }: Options): Promise<Database> {
  const source = new DataSource({
    type: 'postgres',
    url,
    entities: [...entities],
    poolSize: poolMax,
    applicationName,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: { statement_timeout: STATEMENT_TIMEOUT_MS },
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

  const sqlOf = entitySqlOf(source);

  const readerOver = (run: (sql: string, values: readonly SqlValue[]) => Promise<object[]>): Reader => {
    const rows: Reader['rows'] = async <E extends object>(
      entity: EntityClass<E>,
      tail: string,
      values: readonly SqlValue[] = [],
    ) => (await run(`${sqlOf.select(entity)} ${tail}`, values)) as E[];
    return {
      rows,
      row: async (entity, tail, values) => (await rows(entity, tail, values))[0],
      select: async <R extends object>(sql: string, values: readonly SqlValue[] = []) => (await run(sql, values)) as R[],
    };
  };

  const txOver = (pipeline: Pipeline, orgId: string): Tx => {
    const ask = (text: string, values: readonly unknown[], once: boolean) =>
      pipeline.ask({ text, values: values.map(encodeWritten), once });
    const count = async ({ text, values }: Sql, once = false) => (await ask(text, values, once)).count;
    const query = async <R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> =>
      (await ask(sql, values, true)).rows as R[];
    return {
      ...readerOver((sql, values) => query(sql, values)),
      orgId,
      query,
      insert: async (entity, values) => {
        const rows = Array.isArray(values) ? values : [values];
        if (rows.length > 0) await count(sqlOf.insert(entity, rows), rows.length > 1);
      },
      insertOnce: async (entity, values) => {
        const { text, values: given } = sqlOf.insert(entity, [values]);
        return (await count({ text: `${text} ON CONFLICT DO NOTHING`, values: given })) > 0;
      },
      update: (entity, where, set) => count(sqlOf.update(entity, { orgId, ...where }, set)),
      remove: (entity, where) => count(sqlOf.remove(entity, { orgId, ...where })),
      clock: async () => {
        const [row] = await query<{ now: Date }>('SELECT clock_timestamp() AS now');
        invariant(row, 'the database has a clock');
        return row.now;
      },
    };
  };

  return {
    withOrg: (orgId, work) => {
      invariant(inTransaction.getStore() === undefined, 'withOrg must not nest: it would wait for a connection it holds');
      return inTransaction.run(true, async () => {
        const client = await writes.connect();
        const pipeline = createPipeline(client);
        let broken = false;
        client.on('error', ignored); // a connection that breaks fails the statement under way; unheard it would end the process
        try {
          const begun = Promise.all([
            pipeline.ask({ text: 'BEGIN', values: [] }),
            pipeline.ask({ text: SCOPE, values: [orgId] }),
          ]);
          begun.catch(ignored);
          const result = await work(txOver(pipeline, orgId));
          await begun;
          await pipeline.commit();
          return result;
        } catch (error) {
          await pipeline.rollBack().catch(() => {
            broken = true;
          });
          throw error;
        } finally {
          client.removeListener('error', ignored);
          client.release(broken);
        }
      });
    },
    read: (orgId) => readerOver((sql, values) => ask(orgId, sql, values)),
    pools: () => ({ read: stateOf(pool), write: stateOf(writes) }),
    ping: async () => {
      await pool.query('SELECT 1');
    },
    close: async () => {
      await Promise.all([source.destroy(), pool.end()]);
    },
  };
}
