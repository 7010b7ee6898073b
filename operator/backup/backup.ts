import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AllRows,
  lastMigrationOf,
  sequencesOf,
  type TableShape,
  tablesOf,
  withAllRows,
} from '../../entities/backup/all-rows';
import { releaseVersion } from '../../platform/release';
import { sealedEndOf, stateFilesOf } from '../../signer/wire/operator-api';
import { type ArchiveWriter, writeArchive } from './archive-writer';
import { FORMAT, MANIFEST_NAME, type Manifest, SEAL_NAME, sealOf, type Table } from './manifest';

const LINES_AT_ONCE = 500;
const READ_BYTES = 1024 * 1024;
const JOURNAL = /journal-\d+\.jsonl$/;

type Source = {
  readonly ownerUrl: string;
  readonly dataKek: Buffer;
  readonly stateDir: string;
};

/**
 * Reads the rows first, so the archived signing log contains every signature that the rows contain. The service may keep running.
 */
export async function backUp({ ownerUrl, dataKek, stateDir }: Source, path: string): Promise<Manifest> {
  const dateBegun = new Date().toISOString();
  const files = stateFilesOf(stateDir);
  if (files.length === 0)
    throw new Error(`${stateDir} contains no files of a signer: a backup without them could not restore any key.`);
  let manifest: Manifest | undefined;
  await writeArchive(path, async (archive) => {
    const rows = await withAllRows(ownerUrl, (all) => addRows(archive, all));
    const signerFiles: { path: string; bytes: number; sha256: string }[] = [];
    for (const name of stateFilesOf(stateDir)) {
      signerFiles.push({ path: name, ...(await archive.addInParts(`signer/${name}`, wholeLines(join(stateDir, name)))) });
    }
    manifest = {
      format: FORMAT,
      release: releaseVersion(),
      dateBegun,
      dateEnded: new Date().toISOString(),
      ...rows,
      signerFiles,
      members: [...archive.members],
    };
    const text = JSON.stringify(manifest);
    await archive.add(MANIFEST_NAME, Buffer.from(text));
    await archive.add(SEAL_NAME, Buffer.from(sealOf(dataKek, text)));
  });
  if (!manifest) throw new Error('The archive was not written; run the backup again');
  return manifest;
}

async function addRows(archive: ArchiveWriter, rows: AllRows) {
  const lastMigration = await lastMigrationOf(rows);
  if (lastMigration === undefined) throw new Error('The database has no schema: there is nothing to back up.');
  const [deployment] = await rows.select<{ id: string; frozen: boolean }>(
    'SELECT id, date_frozen IS NOT NULL AS frozen FROM deployment',
  );
  if (!deployment) throw new Error('The database does not identify its deployment.');
  const kekIds = await rows.select<{ id: string }>(`SELECT DISTINCT kek_id AS id FROM data_keys ORDER BY 1`);
  const tables: Table[] = [];
  for (const table of await tablesOf(rows)) {
    let count = 0;
    const lines = linesOf(rows, table, (many) => {
      count += many;
    });
    await archive.addInParts(`database/${table.name}`, lines);
    tables.push({ name: table.name, columns: [...table.columns], rows: count });
  }
  const sequences = await sequencesOf(rows);
  return { deploymentId: deployment.id, lastMigration, kekIds: kekIds.map(({ id }) => id), tables, sequences };
}

/**
 * The rows of a table as JSON texts, one per line. Every chunk, and therefore every archive member, ends with a complete line.
 */
async function* linesOf({ each }: AllRows, { name, columns }: TableShape, count: (rows: number) => void): AsyncIterable<Buffer> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  let waiting: string[] = [];
  const flush = () => {
    count(waiting.length);
    const chunk = Buffer.from(waiting.map((line) => `${line}\n`).join(''));
    waiting = [];
    return chunk;
  };
  for await (const { line } of each<{ line: string }>(
    `SELECT row_to_json(t)::text AS line FROM (SELECT ${list} FROM "${name}") t`,
  )) {
    waiting.push(line);
    if (waiting.length === LINES_AT_ONCE) yield flush();
  }
  if (waiting.length > 0) yield flush();
}

/** Reads a file. The journal is read up to its last sealed batch, because a signer may be writing the next batch. */
async function* wholeLines(path: string): AsyncIterable<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const end = JOURNAL.test(path) ? await sealedEndOf(file) : size;
    for (let at = 0; at < end; ) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(Math.min(READ_BYTES, end - at)), position: at });
      if (bytesRead === 0) throw new Error(`${path} shrank while it was read.`);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
