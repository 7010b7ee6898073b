import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './rig';

const SEGMENT = /^journal-\d{6}\.jsonl$/;

/** The paths of the signer's journal, oldest segment first. */
export function segmentsOf(stage: Stage): readonly string[] {
  const folder = join(stage.place().dataFolder, 'signer');
  const names = readdirSync(folder).filter((name) => SEGMENT.test(name));
  return names.sort().map((name) => join(folder, name));
}

/** Everything that the signer has recorded, as text: a line for each entry. */
export const journalOf = (stage: Stage): string =>
  segmentsOf(stage)
    .map((path) => readFileSync(path, 'utf8'))
    .join('');
