import type { Database } from '../../entities/database';

/** A database whose process dies after the commit with this number: the rows stay, and the caller gets an error. */
export function dyingAfter(db: Database, commit: number): Database {
  let commits = 0;
  return {
    ...db,
    withOrg: async (orgId, work) => {
      const result = await db.withOrg(orgId, work);
      commits += 1;
      if (commits === commit) throw new Error('killed');
      return result;
    },
  };
}
