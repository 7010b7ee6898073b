import { readFileSync } from 'node:fs';
import { segmentPath, segmentsOf } from '../signer/record/journal/segments';
import type { Stage } from './rig';

const pathsIn = (folder: string): readonly string[] => segmentsOf(folder).map((number) => segmentPath(folder, number));

/** The paths of the signer's journal, oldest segment first. */
export const journalPaths = (stage: Stage): readonly string[] => pathsIn(stage.folderOf('signer'));

/** All entries that the signer has recorded, or that its replica has received, as text with one line for each entry. */
export const journalOf = (stage: Stage, name: 'signer' | 'replica' = 'signer'): string =>
  pathsIn(stage.folderOf(name))
    .map((path) => readFileSync(path, 'utf8'))
    .join('');
