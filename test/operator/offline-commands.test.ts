import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStrongroomDatabase } from '../../entities/data-source';
import type { Database } from '../../entities/database';
import { backupNoteStore } from '../../entities/deployment/backup-note.store';
import { KEEPING_COMMANDS } from '../../operator/offline-commands';
import { backupSource } from '../../worker/metrics-sources';
import { asSuperuser } from '../support/roles';
import { createDeployment, type Deployment } from './backup/deployment';

let deployment: Deployment;
let worker: Database;
const original = process.env;
beforeAll(async () => {
  deployment = await createDeployment();
  await deployment.addWallet();
  worker = await openStrongroomDatabase({ url: deployment.database.workerUrl, poolMax: 1, applicationName: 'test' });
});
beforeEach(async () => {
  const { ownerUrl, dataKek, stateDir } = deployment.source();
  process.env = {
    ...original,
    OWNER_DATABASE_URL: ownerUrl,
    DATA_KEK: dataKek.toString('hex'),
    SIGNER_STATE_DIR: stateDir,
  };
  await upset(`UPDATE deployment SET date_founded = clock_timestamp() - interval '3 days', date_backed_up = NULL`);
});
afterEach(() => {
  process.env = original;
});
afterAll(async () => {
  await worker?.close();
  await deployment?.close();
});

const upset = (sql: string) => asSuperuser((client) => client.query(sql), deployment.database.name);
const pathOf = (name: string) => join(deployment.folder, name);
/** The age of the last backup, as the worker reports it. */
const age = async () => {
  const [sample] = await backupSource(() => backupNoteStore.ageSeconds(worker.read(''))).read();
  return sample?.value ?? Number.NaN;
};
const DAY_SECONDS = 86_400;

test('the age is measured from the start of the last backup, or else from the creation of the deployment', async () => {
  expect(await age()).toBeCloseTo(3 * DAY_SECONDS, -3);
  const lines = await KEEPING_COMMANDS.backup.run({ to: pathOf('noted') });
  expect(lines).toContain('Noted       in the database; the alert on old backups counts from it');
  expect(await age()).toBeLessThan(DAY_SECONDS);
});

test('a backup that fails is not noted', async () => {
  await expect(KEEPING_COMMANDS.backup.run({ to: pathOf('missing/archive') })).rejects.toThrow(/ENOENT/);
  expect(await age()).toBeCloseTo(3 * DAY_SECONDS, -3);
});

test('a later note never makes the last backup older', async () => {
  const { ownerUrl } = deployment.source();
  await KEEPING_COMMANDS.backup.run({ to: pathOf('newest') });
  expect(await backupNoteStore.note(ownerUrl, new Date('2026-01-01T00:00:00Z'))).toBe(true);
  expect(await age()).toBeLessThan(DAY_SECONDS);
});

test('a schema of an earlier release is backed up, and the command reports that the schema has no place for a note', async () => {
  await upset('ALTER TABLE deployment RENAME COLUMN date_backed_up TO date_hidden');
  try {
    const lines = await KEEPING_COMMANDS.backup.run({ to: pathOf('earlier') });
    expect(lines).toContain('Noted       nowhere: the schema is older than this release');
  } finally {
    await upset('ALTER TABLE deployment RENAME COLUMN date_hidden TO date_backed_up');
  }
});

test('a complete archive stays if the database cannot note the backup, and the command reports this and fails', async () => {
  const guard = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON deployment FOR EACH ROW EXECUTE FUNCTION refuse()`;
  await upset(guard);
  try {
    await expect(KEEPING_COMMANDS.backup.run({ to: pathOf('unnoted') })).rejects.toThrow(/is complete, but/);
    expect(existsSync(pathOf('unnoted'))).toBe(true);
  } finally {
    await upset('DROP TRIGGER refuse ON deployment; DROP FUNCTION refuse()');
  }
});

test('a backup into a folder chooses its file name, keeps the given number of archives, and touches no other file', async () => {
  const folder = mkdtempSync(pathOf('archives-'));
  const older = [
    'strongroom-20260101T000000Z.tar.gz',
    'strongroom-20260102T000000Z.tar.gz',
    'strongroom-20260103T000000Z.tar.gz',
  ];
  const others = ['before-the-move.tar.gz', 'strongroom-20250101T000000Z.tar.gz.partial'];
  for (const name of [...older, ...others]) writeFileSync(join(folder, name), '');
  const lines = await KEEPING_COMMANDS.backup.run({ into: folder, keep: 2 });
  expect(lines.filter((line) => line.startsWith('Removed'))).toEqual(older.slice(0, 2).map((name) => `Removed     ${name}`));
  const left = readdirSync(folder).filter((name) => !others.includes(name));
  expect(left).toEqual([older[2], expect.stringMatching(/^strongroom-20\d{6}T\d{6}Z\.tar\.gz$/)]);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
});

test('a backup that fails removes no archive', async () => {
  const folder = mkdtempSync(pathOf('archives-'));
  const older = [
    'strongroom-20260101T000000Z.tar.gz',
    'strongroom-20260102T000000Z.tar.gz',
    'strongroom-20260103T000000Z.tar.gz',
  ];
  for (const name of older) writeFileSync(join(folder, name), '');
  process.env['SIGNER_STATE_DIR'] = pathOf('nowhere');
  await expect(KEEPING_COMMANDS.backup.run({ into: folder, keep: 2 })).rejects.toThrow('contains no files of a signer');
  expect(readdirSync(folder)).toEqual(older);
});

test.each([
  [{}, 'Pass either --to <file> or --into <folder>.'],
  [{ to: 'a', into: 'b' }, 'Pass either --to <file> or --into <folder>.'],
  [{ to: 'a', keep: 7 }, '--keep requires --into'],
])('%j is refused', async (options, words) => {
  await expect(KEEPING_COMMANDS.backup.run(options)).rejects.toThrow(words);
});

test('at least two archives are kept', () => {
  expect(KEEPING_COMMANDS.backup.options.safeParse({ into: 'a', keep: '2' }).success).toBe(true);
  expect(KEEPING_COMMANDS.backup.options.safeParse({ into: 'a', keep: '1' }).success).toBe(false);
});
