import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** How far a meeting has come: the number of steps that are done, the group that is open, and its folder on the medium. */
const Position = z.object({ done: z.int(), groupId: z.string(), folder: z.string() });
export type Position = z.output<typeof Position>;

const Progress = z.object({ held: z.array(z.string()), begun: Position.extend({ name: z.string() }).optional() });
/** The ceremonies that were held, and the one that was begun and not ended. */
export type Progress = z.output<typeof Progress>;

const fileIn = (root: string) => join(root, 'progress.json');

export const progressIn = (root: string): Progress =>
  existsSync(fileIn(root)) ? Progress.parse(JSON.parse(readFileSync(fileIn(root), 'utf8'))) : { held: [] };

export function keepProgress(root: string, progress: Progress): void {
  const partial = `${fileIn(root)}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, JSON.stringify(progress), { mode: 0o600 });
  renameSync(partial, fileIn(root));
}
