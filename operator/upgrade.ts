import { unreachableAmong } from '../application/policies/reachability';
import { allRowsUrl } from '../entities/backup/permit';
import { migrationConfig } from '../entities/config';
import { openStrongroomDatabase } from '../entities/data-source';
import { releaseStore } from '../entities/deployment/release.store';
import { migrate, migrationNames, noticesOf } from '../entities/migrate';
import { policyStore } from '../entities/policies/policy.store';
import { releaseVersion } from '../platform/release';
import { pathLines } from './upgrade-path';

/**
 * Since this migration, a service account can vote only in a group that lists the account, and a service account and its creator
 * are one person in a quorum.
 */
const COUNTS_PEOPLE_ONCE = 'WithdrawnApprovals20261123080510';

/** If `done` contains `COUNTS_PEOPLE_ONCE`, lists the policies whose approvals can no longer reach their quorum. */
async function unreachableSince(ownerUrl: string, done: readonly string[]): Promise<readonly string[]> {
  if (!done.includes(COUNTS_PEOPLE_ONCE)) return [];
  const db = await openStrongroomDatabase({ url: allRowsUrl(ownerUrl), poolMax: 1, applicationName: 'upgrade' });
  try {
    const asking = await policyStore.asking(db.read(''));
    const told: string[] = [];
    for (const orgId of new Set(asking.map((policy) => policy.orgId))) {
      const own = asking.filter((policy) => policy.orgId === orgId);
      const unreachable = await unreachableAmong(db.read(orgId), orgId, own);
      told.push(...unreachable.map((words) => `Policy of ${orgId}: ${words}`));
    }
    if (told.length === 0) return [];
    return [
      'Service accounts vote only where a group names them, and count as one person with their creator. These approvals can no longer reach their quorum:',
      ...told,
    ];
  } finally {
    await db.close();
  }
}

export async function upgrade(ownerUrl: string): Promise<readonly string[]> {
  const release = releaseVersion();
  const before = await releaseStore.find(ownerUrl);
  const done = await migrate(ownerUrl);
  await releaseStore.keep(ownerUrl, release, migrationNames());
  const path = pathLines(before, release);
  if (done.length === 0) return [...path, 'The schema is up to date'];
  const notices = [...(await noticesOf(ownerUrl, done)), ...(await unreachableSince(ownerUrl, done))];
  return [...path, `Migrated: ${done.join(', ')}`, ...notices];
}

if (require.main === module) {
  upgrade(migrationConfig().OWNER_DATABASE_URL).then(
    (lines) => process.stdout.write(`${lines.join('\n')}\n`),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
