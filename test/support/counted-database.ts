import type { Database, Reader, Tx } from '../../entities/database';

/** Wraps a database. `asked` records the name of every call to the database, in order. */
export function countedDatabase(db: Database): { readonly db: Database; readonly asked: string[] } {
  const asked: string[] = [];
  const counted = <T extends Reader | Tx>(target: T, name: string): T =>
    new Proxy(target, {
      get: (from, member: keyof T & string) => {
        const value = from[member];
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          asked.push(`${name}.${member}`);
          return value.apply(from, args);
        };
      },
    });
  return {
    asked,
    db: {
      ...db,
      read: (orgId) => counted(db.read(orgId), 'read'),
      withOrg: (orgId, work) => {
        asked.push('begin');
        return db.withOrg(orgId, (tx) => work(counted(tx, 'tx')));
      },
    },
  };
}
