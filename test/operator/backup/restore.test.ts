import { randomBytes } from 'node:crypto';
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeArchive } from '../../../operator/backup/archive-writer';
import { backUp } from '../../../operator/backup/backup';
import { checkArchive, restore } from '../../../operator/backup/restore';
import { isStateFrozen } from '../../../signer/record/frozen-file';
import { asSuperuser } from '../../support/roles';
import { createDeployment, createEmptyPlace, type Deployment, type EmptyPlace } from './deployment';

let deployment: Deployment;
let archive: string;
let place: EmptyPlace;

beforeAll(async () => {
  deployment = await createDeployment();
  for (let count = 0; count < 3; count += 1) await deployment.addWallet();
  archive = join(deployment.folder, 'archive');
  await backUp(deployment.source(), archive);
});
afterAll(() => deployment?.close());
beforeEach(async () => {
  place = await createEmptyPlace();
});
afterEach(() => place?.close());

type Changes = Partial<Parameters<typeof restore>[0]>;

const bringBack = (changes: Changes = {}) => {
  const { ownerUrl, stateDir, secretsDir } = place;
  return restore({ path: archive, keys: deployment.keys, ownerUrl, stateDir, secretsDir, ...changes });
};

const rowsOf = (table: string) => `SELECT row_to_json(t)::text AS line FROM ${table} t ORDER BY 1`;

/** A copy of the archive with its tar content changed. */
function altered(change: (tar: Buffer) => Buffer): string {
  const path = join(deployment.folder, `altered-${randomBytes(4).toString('hex')}`);
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(archive)))));
  return path;
}

async function isRefused(changes: Changes, reason: RegExp): Promise<void> {
  const before = await place.standing();
  await expect(bringBack(changes)).rejects.toThrow(reason);
  expect(await place.standing()).toEqual(before);
}

test('a restore into an empty place restores all rows, signer files and keys, and ends frozen with verified addresses', async () => {
  expect(await bringBack()).toMatchObject({ keys: 3, addresses: 3, statePlan: 'Write' });
  for (const table of ['organizations', 'keys', 'data_keys', 'wallets']) {
    const there = await place.select(rowsOf(table));
    expect(there).toEqual(
      await asSuperuser(async (client) => (await client.query(rowsOf(table))).rows as object[], deployment.database.name),
    );
    expect(there.length).toBeGreaterThan(0);
  }
  const journal = (folder: string) => readFileSync(join(folder, 'journal-000001.jsonl'), 'utf8');
  expect(journal(place.stateDir)).toBe(journal(deployment.stateDir));
  expect(readdirSync(place.stateDir).sort()).toEqual(['frozen', 'journal-000001.jsonl', 'journal-key.json', 'share-keys.json']);
  expect(isStateFrozen(place.stateDir)).toBe(true);
  expect(await place.select('SELECT reason, freeze_kind AS kind, date_frozen IS NOT NULL AS frozen FROM deployment')).toEqual([
    { reason: expect.stringMatching(/^Restored from the backup of 20/), kind: 'Restored', frozen: true },
  ]);
  expect(readFileSync(join(place.secretsDir, 'signer-kek'), 'utf8').trim()).toBe(deployment.keys.signerKek.toString('hex'));
  expect(statSync(join(place.secretsDir, 'data-kek')).mode & 0o777).toBe(0o400);
});

test('restored tables have the forced row-level security, foreign keys and triggers of the migrations', async () => {
  await bringBack();
  const rules = `SELECT c.relname, c.relforcerowsecurity AS forced, array_agg(k.conname ORDER BY k.conname) AS keys,
      (SELECT count(*)::int FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled = 'O') AS triggers
    FROM pg_class c LEFT JOIN pg_constraint k ON k.conrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' GROUP BY c.oid ORDER BY 1`;
  const wanted = await asSuperuser(async (client) => (await client.query(rules)).rows as object[], deployment.database.name);
  expect(await place.select(rules)).toEqual(wanted);
});

test('a backup replaces no file, even one created during the backup, and leaves no partial file', async () => {
  const folder = join(deployment.folder, 'taken');
  mkdirSync(folder);
  const path = join(folder, 'archive');
  writeFileSync(path, 'mine');
  await expect(backUp(deployment.source(), path)).rejects.toThrow(`${path} already exists, and a backup never replaces a file`);
  rmSync(path);
  const late = writeArchive(path, async ({ add }) => {
    await add('member', Buffer.from('content'));
    writeFileSync(path, 'mine');
  });
  await expect(late).rejects.toThrow('already exists');
  expect(readdirSync(folder)).toEqual(['archive']);
  expect(readFileSync(path, 'utf8')).toBe('mine');
  writeFileSync(join(folder, 'other.partial'), 'theirs');
  await expect(backUp(deployment.source(), join(folder, 'other'))).rejects.toThrow(/other\.partial already exists/);
  expect(readFileSync(join(folder, 'other.partial'), 'utf8')).toBe('theirs');
});

test('a check accepts an archive of a running service, and reports that a restore needs an empty database', async () => {
  const { ownerUrl } = deployment.source();
  const wanted = { path: archive, keys: deployment.keys, stateDir: deployment.stateDir, ownerUrl };
  expect(await checkArchive(wanted)).toMatchObject({
    manifest: { format: expect.anything() },
    obstacle: expect.stringMatching(/^the database holds \d+ organizations of this deployment; a restore needs an empty one$/),
  });
  expect(await checkArchive({ ...wanted, ownerUrl: place.ownerUrl, stateDir: place.stateDir })).toMatchObject({
    obstacle: undefined,
  });
  const broken = join(deployment.folder, 'broken');
  writeFileSync(broken, readFileSync(archive).subarray(0, 1_000));
  await expect(checkArchive({ ...wanted, path: broken })).rejects.toThrow(/truncated|damaged/);
});

test('an archive that is truncated anywhere is refused before anything is written', async () => {
  const whole = readFileSync(archive);
  for (const part of [0, 0.1, 0.5, 0.9, 0.999]) {
    const path = join(deployment.folder, 'truncated');
    writeFileSync(path, whole.subarray(0, Math.floor(whole.length * part)));
    await isRefused({ path }, /truncated|damaged/);
  }
  const tar = gunzipSync(whole);
  const end = tar.lastIndexOf('manifest.json') - (tar.lastIndexOf('manifest.json') % 512);
  await isRefused({ path: altered((all) => Buffer.concat([all.subarray(0, end), Buffer.alloc(1024)])) }, /manifest is missing/);
  await isRefused({ path: join(deployment.folder, 'nowhere') }, /cannot be read \(ENOENT\)/);
});

test('a single altered byte of a row, of the log, of the manifest or of its seal is refused before anything is written', async () => {
  const flip = (text: string) =>
    altered((tar) => {
      const at = tar.indexOf(text);
      expect(at).toBeGreaterThan(0);
      tar[at + text.length - 1] = (tar[at + text.length - 1] as number) ^ 1;
      return tar;
    });
  await isRefused({ path: flip('"network":"EthereumSepoli') }, /the checksum of database\/wallets\/000001 differs/);
  await isRefused({ path: flip('"publicKeyHex":"0') }, /the checksum of signer\/journal-000001\.jsonl\/000001 differs/);
  await isRefused({ path: flip('"format":"strongroom-backup/') }, /manifest is damaged/);
  await isRefused({ path: flip('"hmac":"') }, /manifest is damaged|was altered/);
});

test('an archive with a manifest that was sealed without the data key is refused before anything is written', async () => {
  const other = { ...deployment.keys, dataKek: randomBytes(32) };
  await isRefused({ keys: other }, /altered, or sealed under a data key-encryption key other/);
});

test('the key of another deployment is refused before anything is written', async () => {
  await isRefused(
    { keys: { ...deployment.keys, signerKek: randomBytes(32) } },
    /wrapped under kek-\w+, but the given key is kek-/,
  );
  mkdirSync(place.secretsDir);
  writeFileSync(join(place.secretsDir, 'signer-kek'), 'ab'.repeat(32));
  await isRefused({}, /signer-kek exists and contains another key/);
});

test('a database or a signer folder of another deployment refuses the backup', async () => {
  const other = await createDeployment();
  try {
    await other.addWallet();
    await isRefused({ ownerUrl: other.database.ownerUrl }, /the database holds 1 organizations of/);
    mkdirSync(place.stateDir, { recursive: true });
    copyFileSync(join(other.stateDir, 'journal-000001.jsonl'), join(place.stateDir, 'journal-000001.jsonl'));
    await isRefused({}, /journal-000001\.jsonl does not continue where the archive ends/);
    expect((await other.database.db.read(other.orgId).select('SELECT id FROM wallets')).length).toBe(1);
  } finally {
    await other.close();
  }
});

test("a restore keeps and freezes the signer's own folder if it is newer than the archive", async () => {
  mkdirSync(place.stateDir, { mode: 0o700 });
  const kept = join(place.stateDir, 'journal-000001.jsonl');
  copyFileSync(join(deployment.stateDir, 'journal-000001.jsonl'), kept);
  appendFileSync(kept, 'what was signed since\n');
  expect(await bringBack()).toMatchObject({ statePlan: 'Keep' });
  expect(readFileSync(kept, 'utf8')).toMatch(/\nwhat was signed since\n$/);
  expect(isStateFrozen(place.stateDir)).toBe(true);
});

test('if an address does not belong to its key, the restore is undone, and only the empty schema is left', async () => {
  const stranger = await createDeployment();
  try {
    await stranger.addWallet();
    await stranger.database.arrange(
      `UPDATE wallets SET address = '0x000000000000000000000000000000000000dEaD' WHERE org_id = $1`,
      [stranger.orgId],
    );
    const path = join(stranger.folder, 'archive');
    await backUp(stranger.source(), path);
    await expect(bringBack({ path, keys: stranger.keys })).rejects.toThrow(
      /the address of the wallet wa-\S+ does not belong to its key/,
    );
    expect(await place.select('SELECT id FROM organizations')).toEqual([]);
    expect((await place.standing()).filter((name) => name.startsWith('/'))).toEqual([]);
  } finally {
    await stranger.close();
  }
});

test('a schema of a newer release is refused before anything is written', async () => {
  const newer = await createDeployment();
  try {
    await newer.addWallet();
    await asSuperuser(
      (client) => client.query(`INSERT INTO migrations (timestamp, name) VALUES (29990101000000, 'FromTheFuture29990101000000')`),
      newer.database.name,
    );
    const path = join(newer.folder, 'archive');
    await backUp(newer.source(), path);
    await isRefused({ path, keys: newer.keys }, /FromTheFuture29990101000000\) is newer than this release/);
  } finally {
    await newer.close();
  }
});
