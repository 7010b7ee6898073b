import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../record/replace-file';
import { syncFolder } from '../record/sync-folder';
import { StartError } from '../start-error';
import { Id } from '../wire/schemas';

export const REPLICA_MARKER = 'replica.json';

/**
 * This file makes a folder the folder of a replica. `epoch` is the highest epoch that a signer has begun with this replica, and
 * `run` names the process that began the epoch. `isRejoining` is true for the folder of an earlier signer: its last lines were
 * perhaps never acknowledged, and may be moved aside.
 */
const Marker = z.strictObject({
  journalId: Id.nullable(),
  epoch: z.int().nonnegative(),
  run: z.uuid().nullable(),
  isRejoining: z.boolean(),
});
export type Marker = z.infer<typeof Marker>;

const pathIn = (stateDir: string) => join(stateDir, REPLICA_MARKER);

/** Undefined for a folder that is not the folder of a replica. */
export function readMarker(stateDir: string): Marker | undefined {
  const path = pathIn(stateDir);
  if (!existsSync(path)) return undefined;
  try {
    return Marker.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new StartError(`${path} cannot be read as the marker of a replica`, { cause: error });
  }
}

export const writeMarker = (stateDir: string, marker: Marker): Promise<void> =>
  replaceFile(pathIn(stateDir), (put) => put(JSON.stringify(marker)));

/** After this call the folder is no longer the folder of a replica. */
export async function removeMarker(stateDir: string): Promise<void> {
  await rm(pathIn(stateDir), { force: true });
  await syncFolder(stateDir);
}
