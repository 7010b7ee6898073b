import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { segmentPath, segmentsOf } from '../signer/record/journal/segments';
import type { Stage } from './rig';

/** The paths of the signer's journal, oldest segment first. */
export function journalPaths(stage: Stage): readonly string[] {
  const folder = join(stage.place().dataFolder, 'signer');
  return segmentsOf(folder).map((number) => segmentPath(folder, number));
}

/** Everything that the signer has recorded, as text: a line for each entry. */
export const journalOf = (stage: Stage): string =>
  journalPaths(stage)
    .map((path) => readFileSync(path, 'utf8'))
    .join('');
