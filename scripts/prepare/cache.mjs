import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { isAlive } from '../supervisor/process-state.mjs';

/**
 * `fill` writes to a temporary folder, which is then renamed to `key`. So clones that share a cache can build at the same time,
 * and no clone sees an incomplete folder.
 */
export async function cached(cacheFolder, key, fill) {
  const place = join(cacheFolder, key);
  mkdirSync(cacheFolder, { recursive: true });
  for (const name of readdirSync(cacheFolder)) {
    const left = name.match(/^\.partial-.*-(\d+)-\w+$/);
    if (left && !isAlive({ pid: Number(left[1]) })) rmSync(join(cacheFolder, name), { recursive: true, force: true });
  }
  const partial = mkdtempSync(join(cacheFolder, `.partial-${key}-${process.pid}-`));
  try {
    await fill(partial);
    chmodSync(partial, 0o755); // mkdtemp lets only the owner read the folder, but other users may share a cache
    try {
      renameSync(partial, place);
    } catch (error) {
      if (!existsSync(place)) throw error; // if the place exists, another clone was faster, and its folder is used
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return place;
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function onPath(name, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}
