import { auditEntryStore } from '../../entities/audit-logs/audit-entry.store';
import { lastMigrationOf, type TableShape } from '../../entities/backup/all-rows';
import { holdingsOf, type Loader, loadRows } from '../../entities/backup/load';
import { inOwnerTransaction } from '../../entities/deployment/as-owner';
import { migrate, migrationNames } from '../../entities/migrate';
import { createKeyCheck, type KeyCheck } from '../../signer/wire/operator-api';
import type { RootKeys } from '../escrow/key-shares';
import { type AddressCount, checkAddresses } from './address-check';
import { readArchive, verifyArchive } from './archive-reader';
import { ArchiveRefused } from './archive-refused';
import { planKeyFiles } from './key-files';
import type { Manifest } from './manifest';
import { openState, planState, type StatePlan } from './state-folder';

const LINES_AT_ONCE = 500;

export type Restoration = {
  readonly path: string;
  readonly keys: RootKeys;
  readonly stateDir: string;
  /** Undefined if there is no database yet. Then only the archive, the keys and the folders are checked. */
  readonly ownerUrl?: string | undefined;
  /** The folder to which the two root keys are written. Undefined if the keys are already in place. */
  readonly secretsDir?: string | undefined;
};

export type Restored = AddressCount & { readonly manifest: Manifest; readonly statePlan: StatePlan };

type Judged = { readonly manifest: Manifest; readonly check: KeyCheck; readonly statePlan: StatePlan };

/** Makes all checks that are possible before the first write. Throws `ArchiveRefused` if a check fails. */
async function judgeArchive({ path, keys, stateDir, ownerUrl, secretsDir }: Restoration): Promise<Judged> {
  const manifest = await verifyArchive(path, keys.dataKek);
  if (!migrationNames().includes(manifest.lastMigration)) {
    throw new ArchiveRefused(
      `its schema (${manifest.lastMigration}) is newer than this release; it was made by ${manifest.release}`,
    );
  }
  const check = createKeyCheck(Buffer.from(keys.signerKek));
  const others = manifest.kekIds.filter((id) => id !== check.kekId);
  if (others.length > 0) {
    throw new ArchiveRefused(`its data keys are wrapped under ${others.join(', ')}, but the given key is ${check.kekId}`);
  }
  if (secretsDir !== undefined) await planKeyFiles(secretsDir, keys);
  const statePlan = await planState(stateDir, manifest);
  const obstacle = await obstacleIn(ownerUrl, manifest);
  if (obstacle !== undefined) throw new ArchiveRefused(obstacle);
  return { manifest, check, statePlan };
}

type Checked = { readonly manifest: Manifest; readonly obstacle: string | undefined };

/**
 * Checks an archive while the service may keep running. `obstacle` is the reason why this database refuses the archive. Throws
 * `ArchiveRefused` for an archive that these keys and this folder cannot restore.
 */
export async function checkArchive({ ownerUrl, ...wanted }: Restoration): Promise<Checked> {
  const { manifest } = await judgeArchive(wanted);
  return { manifest, obstacle: await obstacleIn(ownerUrl, manifest) };
}

async function obstacleIn(ownerUrl: string | undefined, { lastMigration, deploymentId }: Manifest): Promise<string | undefined> {
  if (ownerUrl === undefined) return undefined;
  const { schema, organizations, deployment } = await holdingsOf(ownerUrl);
  if (organizations > 0) {
    const whose = deployment === deploymentId ? 'this deployment' : `another deployment (${deployment ?? 'unknown'})`;
    return `the database holds ${organizations} organizations of ${whose}; a restore needs an empty one`;
  }
  if (schema === undefined || schema === lastMigration) return undefined;
  return `the database has the schema ${schema}, but the archive has ${lastMigration}; use an empty database`;
}

/**
 * Restores a deployment and leaves the deployment frozen. One transaction loads all rows. Before the commit, the row counts are
 * compared with the manifest, and each sealed key and each address is compared with its row. After a failure the schema stays
 * empty, and the written signer files are removed.
 */
export async function restore(wanted: Restoration & { readonly ownerUrl: string }): Promise<Restored> {
  const { manifest, check, statePlan } = await judgeArchive(wanted);
  const { path, keys, stateDir, ownerUrl, secretsDir } = wanted;
  const reason = `Restored from the backup of ${manifest.dateBegun}`;
  await migrate(ownerUrl, manifest.lastMigration);
  const state = await openState(stateDir, statePlan, reason);
  let counts: AddressCount = { keys: 0, addresses: 0 };
  try {
    await loadRows(ownerUrl, {
      reason,
      fill: (loader) => fill(path, manifest, loader, state.write),
      check: async (rows) => {
        if ((await lastMigrationOf(rows)) !== manifest.lastMigration)
          throw new ArchiveRefused('the schema changed during the restore');
        counts = await checkAddresses(rows, check);
        await state.finish();
        if (secretsDir !== undefined) await (await planKeyFiles(secretsDir, keys)).write();
      },
    });
  } catch (error) {
    await state.undo();
    throw error;
  }
  await migrate(ownerUrl);
  const details = { dateBegun: manifest.dateBegun };
  await inOwnerTransaction(ownerUrl, (client) => auditEntryStore.commandOnAll(client, 'restore', details));
  return { manifest, statePlan, ...counts };
}

async function fill(
  path: string,
  manifest: Manifest,
  loader: Loader,
  writeState: (path: string, content: Buffer) => Promise<void>,
): Promise<void> {
  const tables = new Map<string, TableShape>(manifest.tables.map((table) => [table.name, table]));
  const files = new Set(manifest.signerFiles.map((file) => file.path));
  const rows = new Map<string, number>();
  await readArchive(path, manifest, async (name, content) => {
    const [, folder, of = ''] = /^(database|signer)\/(.+)\/\d{6,}$/.exec(name) ?? [];
    if (folder === 'signer' && files.has(of)) return writeState(of, content);
    const table = tables.get(of);
    if (folder !== 'database' || !table) throw new ArchiveRefused(`${name} is not listed in its manifest`);
    const lines = content.toString('utf8').split('\n').filter(Boolean);
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) await loader.add(table, lines.slice(at, at + LINES_AT_ONCE));
    rows.set(of, (rows.get(of) ?? 0) + lines.length);
  });
  for (const table of manifest.tables) {
    if ((rows.get(table.name) ?? 0) !== table.rows)
      throw new ArchiveRefused(`the number of rows of ${table.name} differs from the manifest`);
  }
  await loader.setSequences(manifest.sequences);
}
