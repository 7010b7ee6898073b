import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { applySettings } from '../chains/network-settings';
import { createReaders } from '../chains/readers';
import { withAllRows } from '../entities/backup/all-rows';
import { openStrongroomDatabase } from '../entities/data-source';
import { backupNoteStore } from '../entities/deployment/backup-note.store';
import { freezeStore } from '../entities/deployment/freeze.store';
import { freezeState } from '../signer/wire/operator-api';
import { archiveName, removeOldArchives } from './backup/archive-folder';
import { backUp } from './backup/backup';
import { checkArchive, type Restoration, restore } from './backup/restore';
import { offlineCommand } from './command';
import { backupConfig, escrowConfig, freezeConfig, reconcileConfig, restoreConfig } from './config';
import { combineKeys, type RootKeys, splitKeys } from './escrow/key-shares';
import { printShare, readShares } from './escrow/paper';
import { compare } from './reconcile/compare';
import { release, SAME_PAYMENT_DAYS } from './reconcile/release';
import { nameOf, reportLines } from './reconcile/report';
import { readLog } from './reconcile/signed';

const Path = z.string().min(1).max(4_096);
const Count = z.coerce.number().int().min(2).max(16);
/** At least two archives are kept, because the newest archive may already contain the damage that a restore must undo. */
const Kept = z.coerce.number().int().min(2).max(10_000);
const STANDARD_INPUT = 0;

async function noteBackup(ownerUrl: string, path: string, dateBegun: string): Promise<string> {
  try {
    const isNoted = await backupNoteStore.note(ownerUrl, new Date(dateBegun));
    return isNoted
      ? 'in the database; the alert on old backups counts from it'
      : 'nowhere: the schema is older than this release';
  } catch (error) {
    throw new Error(`${path} is complete, but the database could not record the backup; the alert on old backups may fire.`, {
      cause: error,
    });
  }
}

const backup = offlineCommand({
  usage: '--to <file> | --into <folder> [--keep <how many archives>]',
  options: z.strictObject({ to: Path.optional(), into: Path.optional(), keep: Kept.optional() }),
  async run({ to, into, keep }) {
    if ((to === undefined) === (into === undefined)) throw new Error('Pass either --to <file> or --into <folder>.');
    if (keep !== undefined && into === undefined)
      throw new Error('--keep requires --into: old archives are removed only from that folder.');
    const { OWNER_DATABASE_URL: ownerUrl, DATA_KEK: dataKek, SIGNER_STATE_DIR: stateDir } = backupConfig();
    const path = into === undefined ? resolve(to ?? '') : join(resolve(into), archiveName(new Date()));
    const manifest = await backUp({ ownerUrl, dataKek, stateDir }, path);
    const noted = await noteBackup(ownerUrl, path, manifest.dateBegun);
    // Old archives are removed last, so that a failed run removes no archive.
    const removed = into !== undefined && keep !== undefined ? await removeOldArchives(resolve(into), keep) : [];
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = manifest.members.reduce((sum, member) => sum + member.bytes, 0);
    return [
      `Archive     ${path}`,
      `Deployment  ${manifest.deploymentId}`,
      `Schema      ${manifest.lastMigration}`,
      `Rows        ${rows} in ${manifest.tables.length} tables`,
      `Signer      ${manifest.signerFiles.map((file) => `${file.path} (${file.bytes} bytes)`).join(', ')}`,
      `Content     ${bytes} bytes in ${manifest.members.length} members, each with its SHA-256`,
      `Noted       ${noted}`,
      ...removed.map((name) => `Removed     ${name}`),
      '',
      'Keys in it are sealed, everything else is in plain text: protect it like the database.',
    ];
  },
});

const escrow = offlineCommand({
  usage: '--shares <how many> --threshold <how many restore the keys>',
  options: z.strictObject({ shares: Count, threshold: Count }),
  async run({ shares: count, threshold }) {
    const { SIGNER_KEK: signerKek, DATA_KEK: dataKek } = escrowConfig();
    const shares = await splitKeys({ signerKek, dataKek }, count, threshold);
    signerKek.fill(0);
    dataKek.fill(0);
    return [
      `# Any ${threshold} of these ${count} shares restore signer-kek and data-kek; fewer reveal nothing about them.`,
      '# Give each share to a different person. The last group of a line is its checksum. The digits 0, 1, 8 and 9 do not occur.',
      ...shares.flatMap((share) => [
        '',
        `# share ${share.index} of ${share.count}, ${share.threshold} are needed, set ${share.set}, ${new Date().toISOString().slice(0, 10)}`,
        ...printShare(share),
      ]),
    ];
  },
});

async function rootKeys(
  shares: string | undefined,
  { SIGNER_KEK, DATA_KEK }: ReturnType<typeof restoreConfig>,
): Promise<RootKeys> {
  if (shares !== undefined) return combineKeys(readShares(readFileSync(shares === '-' ? STANDARD_INPUT : shares, 'utf8')));
  if (SIGNER_KEK && DATA_KEK) return { signerKek: SIGNER_KEK, dataKek: DATA_KEK };
  throw new Error('Pass --shares <file> (or - to type them in), or set SIGNER_KEK_FILE and DATA_KEK_FILE.');
}

const restoreArchive = offlineCommand({
  usage: '--from <file> [--shares <file> | --shares -] [--secrets-to <folder>] [--check-only]',
  options: z.strictObject({
    from: Path,
    shares: Path.optional(),
    'secrets-to': Path.optional(),
    'check-only': z.boolean().optional(),
  }),
  async run({ from, shares, 'secrets-to': secretsDir, 'check-only': checkOnly = false }) {
    const config = restoreConfig();
    const { OWNER_DATABASE_URL: ownerUrl, SIGNER_STATE_DIR: stateDir } = config;
    const keys = await rootKeys(shares, config);
    const wanted: Restoration = { path: resolve(from), keys, stateDir, ownerUrl, secretsDir };
    if (checkOnly) {
      const { manifest, obstacle } = await checkArchive(wanted);
      return [
        `The archive of ${manifest.dateBegun} is complete and belongs to deployment ${manifest.deploymentId}. Nothing was written.`,
        ...(obstacle === undefined ? [] : [`A restore to this database would be refused: ${obstacle}`]),
      ];
    }
    if (ownerUrl === undefined) throw new Error('OWNER_DATABASE_URL is not set.');
    const done = await restore({ ...wanted, ownerUrl });
    return [
      `Restored    ${done.manifest.deploymentId}, as it was at ${done.manifest.dateBegun}`,
      `Rows        ${done.manifest.tables.reduce((sum, table) => sum + table.rows, 0)}`,
      `Keys        ${done.keys} opened, each matches its public key`,
      `Addresses   ${done.addresses} derived again, each matches its wallet`,
      `Signer      ${done.statePlan === 'Keep' ? 'its own folder is newer than the archive and was kept' : `written to ${stateDir}`}`,
      '',
      'The deployment is FROZEN: start it, then run `npm run reconcile`, which lists where rows, signing log and chains disagree.',
    ];
  },
});

const freeze = offlineCommand({
  usage: '--reason <words>',
  options: z.strictObject({ reason: z.string().trim().min(1).max(200) }),
  async run({ reason }) {
    const { OWNER_DATABASE_URL: ownerUrl, SIGNER_STATE_DIR: stateDir } = freezeConfig();
    await freezeState(stateDir, reason);
    await freezeStore.freeze(ownerUrl, reason);
    return ['The deployment is FROZEN: nothing is changed, signed or sent until `npm run reconcile` releases it.'];
  },
});

const reconcile = offlineCommand({
  usage: '[--json <file>] [--release <name of the report>]',
  options: z.strictObject({ json: Path.optional(), release: z.string().max(64).optional() }),
  async run({ json, release: named }) {
    const {
      OWNER_DATABASE_URL: ownerUrl,
      DATABASE_URL: url,
      SIGNER_STATE_DIR: stateDir,
      NETWORK_RPC_URLS: urls,
      NETWORK_SETTINGS: settings,
    } = reconcileConfig();
    applySettings(urls, settings);
    const frozen = await freezeStore.find(ownerUrl);
    const log = await readLog(stateDir);
    const comparison = await withAllRows(ownerUrl, (rows) => compare(rows, log, createReaders(urls, undefined, settings)));
    const name = nameOf(comparison);
    const isFrozen = frozen?.dateFrozen != null;
    if (json !== undefined)
      await writeFile(json, `${JSON.stringify({ name, isFrozen, ...comparison }, undefined, 2)}\n`, { mode: 0o600 });
    const lines = reportLines(comparison);
    if (!isFrozen) return [...lines, 'The deployment is not frozen: work in progress may be listed above.'];
    if (named === undefined) {
      return [
        ...lines,
        '',
        `FROZEN since ${frozen.dateFrozen?.toISOString()}: ${frozen.reason}`,
        `To release it with these findings: npm run reconcile -- --release ${name}`,
      ];
    }
    if (named !== name)
      throw new Error([...lines, '', `The report is now ${name}, not ${named}. The deployment stays frozen.`].join('\n'));
    const db = await openStrongroomDatabase({ url, poolMax: 1, applicationName: 'strongroom-operator' });
    try {
      const { kept, ended } = await release(db, ownerUrl, stateDir, comparison, log);
      return [
        ...lines,
        '',
        `RELEASED. Repetitions of ${kept} forgotten payments are refused, for ${SAME_PAYMENT_DAYS} days if they had no external id; ${ended} transfers ended.`,
      ];
    } finally {
      await db.close();
    }
  },
});

export const KEEPING_COMMANDS = { backup, 'keys:escrow': escrow, restore: restoreArchive, freeze, reconcile };
