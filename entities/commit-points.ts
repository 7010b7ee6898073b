import { idsIn } from '../platform/drill-gate';
import type { Database, Tx } from './database';

type At = (moment: 'committing' | 'committed', ids: readonly string[]) => Promise<void>;

/** The same database, which a drill can hold when the work of a transaction is done and again when it is committed. */
export function withCommitPoints(db: Database, at: At): Database {
  return {
    ...db,
    withOrg: async (orgId, work) => {
      const touched = new Set<string>();
      const result = await db.withOrg(orgId, async (tx) => {
        const done = await work(noting(tx, touched));
        await at('committing', [...touched]);
        return done;
      });
      await at('committed', [...touched]);
      return result;
    },
  };
}

/** The ids in what the transaction is asked for are the records that it touches. */
function noting(tx: Tx, touched: Set<string>): Tx {
  return new Proxy(tx, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]): unknown => {
        for (const id of idsIn(args)) touched.add(id);
        return Reflect.apply(member, target, args);
      };
    },
  });
}
