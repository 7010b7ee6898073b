import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stepsOf } from '../../local/fleets/page';
import { ROOT } from './compose';

export const CEREMONIES_PAGE = readFileSync(join(ROOT, 'docs', 'ceremonies.md'), 'utf8');

/** The files in which the courier saves the inputs, in order. */
export const savedInputs = (page: string): readonly string[] =>
  stepsOf(page).flatMap((step) => (step.kind === 'saved' ? [step.path] : []));

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** In a text of the page, `…` stands for any characters. */
export const patternOf = (line: string): RegExp => new RegExp(`^${line.trim().split('…').map(escaped).join('.+')}$`);
