import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { invariant } from '../domain/errors';

export type Sql = { readonly text: string; readonly values: readonly unknown[] };
type Row = Readonly<Record<string, unknown>>;
type EntityClass = new () => object;

export type EntitySql = {
  /** Up to the name of the table, which the statement may call `t`. */
  readonly select: (entity: EntityClass) => string;
  /** Members that are left out or undefined take the column's default. */
  readonly insert: (entity: EntityClass, rows: readonly Row[]) => Sql;
  /** Members that are undefined stay as they are. Throws when nothing would change. */
  readonly update: (entity: EntityClass, where: Row, set: Row) => Sql;
  readonly remove: (entity: EntityClass, where: Row) => Sql;
};

/** Statements from what the entities say of their columns: the same text for the same members, so that the server keeps its plan. */
export function entitySqlOf(source: DataSource): EntitySql {
  const tables = new Map<EntityClass, { readonly name: string; readonly columns: ReadonlyMap<string, ColumnMetadata> }>();
  const selects = new Map<EntityClass, string>();
  const tableOf = (entity: EntityClass) => {
    const known = tables.get(entity);
    if (known) return known;
    const { tableName, columns } = source.getMetadata(entity);
    const table = { name: tableName, columns: new Map(columns.map((column) => [column.propertyName, column])) };
    tables.set(entity, table);
    return table;
  };

  const whereOf = (entity: EntityClass, where: Row, values: unknown[]): string => {
    const { name, columns } = tableOf(entity);
    return Object.entries(where)
      .map(([member, value]) => {
        const column = columns.get(member);
        invariant(
          column && value !== undefined && value !== null,
          `${name} has a column and the condition a value for ${member}`,
        );
        return `${column.databaseName} = $${values.push(value)}`;
      })
      .join(' AND ');
  };

  return {
    select: (entity) => {
      const known = selects.get(entity);
      if (known !== undefined) return known;
      const { name, columns } = tableOf(entity);
      const list = [...columns.values()].map((column) => `t.${column.databaseName} AS "${column.propertyName}"`);
      const text = `SELECT ${list.join(', ')} FROM ${name} t`;
      selects.set(entity, text);
      return text;
    },

    insert: (entity, rows) => {
      const { name, columns } = tableOf(entity);
      assertKnown(name, columns, rows);
      const given = [...columns.values()].filter(
        ({ isInsert, propertyName }) => isInsert && rows.some((row) => row[propertyName] !== undefined),
      );
      const values: unknown[] = [];
      const tuples = rows.map((row) => {
        const places = given.map((column) => {
          const value = row[column.propertyName];
          return value === undefined ? 'DEFAULT' : `$${values.push(written(column, value))}`;
        });
        return `(${places.join(', ')})`;
      });
      const names = given.map(({ databaseName }) => databaseName).join(', ');
      return { text: `INSERT INTO ${name} (${names}) VALUES ${tuples.join(', ')}`, values };
    },

    update: (entity, where, set) => {
      const { name, columns } = tableOf(entity);
      assertKnown(name, columns, [set]);
      const values: unknown[] = [];
      const changes = [...columns.values()].flatMap((column) => {
        const value = set[column.propertyName];
        return value === undefined || !column.isUpdate
          ? []
          : [`${column.databaseName} = $${values.push(written(column, value))}`];
      });
      invariant(changes.length > 0, `a change of ${name} changes something`);
      return { text: `UPDATE ${name} SET ${changes.join(', ')} WHERE ${whereOf(entity, where, values)}`, values };
    },

    remove: (entity, where) => {
      const values: unknown[] = [];
      return { text: `DELETE FROM ${tableOf(entity).name} WHERE ${whereOf(entity, where, values)}`, values };
    },
  };
}

function assertKnown(table: string, columns: ReadonlyMap<string, ColumnMetadata>, rows: readonly Row[]): void {
  for (const row of rows) {
    for (const member of Object.keys(row)) invariant(columns.has(member), `${table} has no column for ${member}`);
  }
}

/** JSON columns hold any value, a text or a list too, which would otherwise travel as themselves. */
function written({ type }: ColumnMetadata, value: unknown): unknown {
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}
