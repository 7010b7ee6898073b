import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { freezeState, removeIndexes, stateFilesOf } from '../../signer/wire/operator-api';
import { ArchiveRefused } from './archive-refused';
import type { Manifest } from './manifest';

/** A newer version of an append-only file begins with the content of every older version. */
const APPEND_ONLY = /\.jsonl$/;

export type StatePlan = 'Write' | 'Keep';

/**
 * Returns `Write` for a folder without files, and `Keep` if the append-only files of the folder begin with the archived content.
 * A kept folder may contain signatures that are newer than the archive and must not be lost (S5). Throws `ArchiveRefused` for any
 * other folder, because such a folder belongs to another deployment or is older than the archive.
 */
export async function planState(stateDir: string, manifest: Manifest): Promise<StatePlan> {
  const there = stateFilesOf(stateDir);
  if (there.length === 0) return 'Write';
  for (const { path, bytes, sha256 } of manifest.signerFiles.filter((file) => APPEND_ONLY.test(file.path))) {
    // A compaction by an older release kept the previous content in a file with the same name and a suffix.
    const candidates = there.filter((name) => name === path || name.startsWith(`${path}.`));
    const beginnings = await Promise.all(candidates.map((name) => digestOfBeginning(join(stateDir, name), bytes)));
    if (!beginnings.includes(sha256)) {
      throw new ArchiveRefused(
        `${join(stateDir, path)} does not continue where the archive ends: it belongs to another deployment, or is older than the archive`,
      );
    }
  }
  return 'Keep';
}

async function digestOfBeginning(path: string, bytes: number): Promise<string | undefined> {
  if ((await stat(path)).size < bytes) return undefined;
  const hash = createHash('sha256');
  if (bytes > 0)
    for await (const chunk of createReadStream(path, { end: bytes - 1 }) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

export type StateWriter = {
  readonly write: (path: string, content: Buffer) => Promise<void>;
  /** Syncs and closes the written files. */
  readonly finish: () => Promise<void>;
  /** Removes the written files. If the plan is `Write`, also ends the freeze of the folder. */
  readonly undo: () => Promise<void>;
};

/** Freezes the signer's folder before any write, so that a signer that starts on the written files signs nothing. */
export async function openState(stateDir: string, plan: StatePlan, reason: string): Promise<StateWriter> {
  const wasThere = existsSync(stateDir);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  await freezeState(stateDir, reason);
  if (plan === 'Write') await removeIndexes(stateDir);
  const open_ = new Map<string, FileHandle>();
  const close = async () => {
    for (const file of open_.values()) {
      await file.sync();
      await file.close();
    }
    open_.clear();
  };
  const written: string[] = [];
  return {
    async write(path, content) {
      if (plan === 'Keep') return;
      const target = join(stateDir, path);
      let file = open_.get(path);
      if (!file) {
        file = await open(target, 'wx', 0o600);
        open_.set(path, file);
        written.push(target);
      }
      await file.appendFile(content);
    },
    finish: close,
    async undo() {
      await close().catch(() => undefined);
      for (const path of written) await rm(path, { force: true });
      // A kept folder stays frozen, because its deployment may be incomplete.
      if (plan === 'Write') await rm(join(stateDir, 'frozen'), { force: true });
      if (!wasThere && readdirSync(stateDir).length === 0) await rm(stateDir, { recursive: true });
    },
  };
}
