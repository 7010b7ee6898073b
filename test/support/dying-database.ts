import type { Database } from '../../entities/database';

/** The same database, behind whose transaction of this number the process dies: what was committed stands, nobody hears of it. */
export function dyingBehind(db: Database, commit: number): Database {
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
