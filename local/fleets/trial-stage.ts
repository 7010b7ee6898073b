import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PageStep, sectionOf, stepsOf } from './page';
import { Paper } from './paper';
import { ceremonyRequests } from './service';
import { readRecords, type Stage } from './stage';
import type { Trial } from './trial';

const DIST = join(__dirname, '..', '..');
export const SHEET = 'sheet.txt';

const foldersOf = (dataFolder: string, storeId: string): string => join(dataFolder, 'fleets', storeId);

/** The steps of these sections of `docs/ceremonies.md`. */
export function stepsOfSections(titles: readonly string[]): readonly PageStep[] {
  const page = readFileSync(join(DIST, '..', 'docs', 'ceremonies.md'), 'utf8');
  return stepsOf(titles.map((title) => sectionOf(page, title)).join('\n'));
}

/** The machines of the store in the trial's data folder, with the sheet of their earlier meetings. */
export function trialStage(
  dataFolder: string,
  storeId: string,
  { courier, reviewer }: Trial,
  screen: Pick<Stage, 'say' | 'type' | 'triesAgain'>,
): Stage {
  const root = foldersOf(dataFolder, storeId);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const paper = new Paper();
  readRecords(root, paper);
  const people = { courier, reviewer, isOnPaper: (digest: string) => paper.hasManifest(digest) };
  const program = join(DIST, 'strongroom-offline-signer.mjs');
  return { root, paper, program, service: ceremonyRequests(storeId, people), ...screen };
}

/** Writes the sheet of the meetings, which people would keep on paper. */
export const keepSheet = ({ root, paper }: Stage): void =>
  writeFileSync(join(root, SHEET), `${paper.lines().join('\n')}\n`, { mode: 0o600 });
