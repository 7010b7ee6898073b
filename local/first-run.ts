import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { openStrongroomDatabase } from '../entities/data-source';
import type { Database } from '../entities/database';
import { type Founded, foundedIn } from '../entities/organizations/founded';
import { OrganizationEntity } from '../entities/organizations/organization.entity';
import { organizationStore } from '../entities/organizations/organization.store';
import { createTokenKeys, type TokenKeys } from '../platform/token-keys';
import { type FirstRunConfig, firstRunConfig } from './config';
import { createTrialOrganization, NO_WAITS, TrialOrganization, type TrialUser, tokenFor } from './trial-organization';

/**
 * Creates the organisation and the two users of a local trial at the first start, and new tokens for the users at every start.
 * After a restore from a backup `FIRST_RUN_FILE` is missing, even though the database contains organisations. This job then only
 * prints the administrators of these organisations, and the command that issues new credentials. `FIRST_RUN_FILE` contains
 * private keys, so the file has mode 0600 and is never written in production.
 */
async function main(): Promise<void> {
  const config = firstRunConfig();
  const keys = createTokenKeys(config.TOKEN_KEY);
  const db = await openStrongroomDatabase({ url: config.DATABASE_URL, poolMax: 2, applicationName: 'strongroom-first-run' });
  try {
    const known = await knownRun(db, config.FIRST_RUN_FILE);
    const standing = known ? undefined : await foundedIn(config.OWNER_DATABASE_URL);
    if (standing && !isEmpty(standing)) return say(linesOf(standing));
    const run = known ? await renewed(db, keys, known) : await createTrialOrganization(db, keys);
    write(config, run);
    say([`${known ? 'New tokens' : 'Organisation and two users'} written to ${config.FIRST_RUN_FILE}`]);
  } finally {
    await db.close();
  }
}

const say = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

const isEmpty = ({ organizations, tenants, isRestored }: Founded): boolean => organizations === 0 && tenants === 0 && !isRestored;

function linesOf({ organizations, first, isRestored, isFrozen }: Founded): string[] {
  const [one] = first;
  const user = one?.administrators[0] ?? 'us-…';
  return [
    `Nothing was created: this database ${isRestored ? 'was restored and ' : ''}holds ${organizations} organisation${organizations === 1 ? '' : 's'}.`,
    ...first.map(({ id, name, administrators }) => `${id}  ${name}: ${administrators.join(', ') || 'no administrator'}`),
    ...(isFrozen ? ['It is frozen: npm run reconcile lists where rows, signing log and chains disagree, and releases it.'] : []),
    ...(one ? [`For an administrator who has lost every credential: npm run org:reissue -- --org ${one.id} --user ${user}`] : []),
  ];
}

/**
 * The organisation and the users in the file. Undefined without the file, or if the database does not contain the organisation
 * of the trial.
 */
async function knownRun(db: Database, file: string): Promise<TrialOrganization | undefined> {
  if (!existsSync(file)) return undefined;
  const run = TrialOrganization.parse(JSON.parse(readFileSync(file, 'utf8')));
  return (await db.read(run.orgId).row(OrganizationEntity, 'WHERE t.id = $1', [run.orgId])) && run;
}

const renewed = (db: Database, keys: TokenKeys, { orgId, users }: TrialOrganization): Promise<TrialOrganization> =>
  db.withOrg(orgId, async (tx) => {
    const { settings } = await organizationStore.lock(tx);
    const undecided = Object.entries(NO_WAITS).filter(([name]) => !(name in settings));
    if (undecided.length > 0) await organizationStore.changeSettings(tx, Object.fromEntries(undecided));
    const again: TrialUser[] = [];
    for (const user of users) again.push({ ...user, token: await tokenFor(tx, keys, user.userId) });
    return { orgId, users: again };
  });

function write(config: FirstRunConfig, run: TrialOrganization): void {
  const file = {
    baseUrl: config.BASE_URL,
    orgId: run.orgId,
    temporalUiUrl: config.TEMPORAL_UI_URL,
    docsUrl: config.DOCS_URL,
    mailboxUrl: config.MAILBOX_URL,
    vendorsUrl: config.VENDORS_URL,
    users: run.users,
    chains: config.CHAINS_JSON,
  };
  writeFileSync(`${config.FIRST_RUN_FILE}.partial`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${config.FIRST_RUN_FILE}.partial`, config.FIRST_RUN_FILE);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
