import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chain, GENESIS, HASH_CHARS, HEADING, linesOf } from './chained-lines';
import { syncFolder } from './sync-folder';

/** Returns a shorter entry with everything that is still needed, or undefined to leave the entry unchanged. */
export type Summarise = (entry: unknown) => unknown;

const WRITE_BYTES = 1024 * 1024;

/**
 * Copies the intact part of a file and renames the copy into place, so that a crash leaves either file intact. A process with
 * the old file open writes to an unlinked file, without effect. With `summarise` the copy begins with a heading, where the hash
 * chain of the copy starts. The heading has the hash of the old file's last line, and the old file is kept with this hash in
 * its name. Returns the hash of the copy's last line.
 */
export async function compactLog(
  path: string,
  { last, goodBytes }: { readonly last: string; readonly goodBytes: number },
  summarise: Summarise | undefined,
): Promise<string> {
  const target = await open(`${path}.new`, 'wx', 0o600);
  let end = GENESIS;
  let lines: string[] = [];
  let size = 0;
  const put = (json: string) => {
    end = chain(end, json);
    lines.push(`${end} ${json}\n`);
    size += json.length;
  };
  const flush = async () => {
    await target.appendFile(lines.join(''));
    lines = [];
    size = 0;
  };
  try {
    if (summarise) put(`${HEADING}${JSON.stringify({ after: last, at: new Date().toISOString() })}}`);
    for await (const { line, isWhole } of linesOf(path, goodBytes)) {
      const json = line.toString('utf8', HASH_CHARS + 1);
      if (!isWhole || (summarise && json.startsWith(HEADING))) continue;
      const shorter = summarise?.(JSON.parse(json));
      put(shorter === undefined ? json : JSON.stringify(shorter));
      if (size >= WRITE_BYTES) await flush();
    }
    await flush();
    await target.datasync();
  } finally {
    await target.close();
  }
  if (summarise) {
    const kept = `${path}.${last}`;
    await rm(kept, { force: true });
    await link(path, kept);
  }
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
  return end;
}
