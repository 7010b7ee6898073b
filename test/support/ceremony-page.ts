import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compose';

const PROGRAM = 'strongroom-offline-signer';
const BLOCK = /^```(sh|http|text)\n([\s\S]*?)^```$/gm;
const SAVED = /\bas\s+`(medium\/[a-z]+\/input\.json)`/g;

/** A step of the page, in the order of the page. */
export type PageStep =
  | { readonly kind: 'command'; readonly machine: string; readonly words: readonly string[] }
  | { readonly kind: 'request'; readonly method: string; readonly path: string; readonly body: unknown }
  | { readonly kind: 'screen'; readonly lines: readonly string[] };

export const CEREMONIES_PAGE = readFileSync(join(ROOT, 'docs', 'ceremonies.md'), 'utf8');

function commandsIn(text: string): PageStep[] {
  const steps: PageStep[] = [];
  let machine = '';
  for (const line of text
    .replaceAll(/ \\\n +/g, ' ')
    .split('\n')
    .filter(Boolean)) {
    const [, named] = /^# (\S+)$/.exec(line) ?? [];
    if (named !== undefined) machine = named;
    const [program, ...words] = line.split(' ');
    if (program === PROGRAM) steps.push({ kind: 'command', machine, words });
    else if (named === undefined) throw new Error(`the page has the line: ${line}`);
  }
  return steps;
}

function requestsIn(text: string): PageStep[] {
  const steps: PageStep[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const [, method = '', path = ''] = /^(GET|POST) (\/\S+)$/.exec(line) ?? [];
    const last = steps.pop();
    if (method !== '') steps.push(...(last ? [last] : []), { kind: 'request', method, path, body: undefined });
    else if (last?.kind === 'request') steps.push({ ...last, body: JSON.parse(line) });
  }
  return steps;
}

/** Everything on the page that people do, request or see. */
export const stepsOf = (page: string): readonly PageStep[] =>
  [...page.matchAll(BLOCK)].flatMap(([, language, text = '']): PageStep[] => {
    if (language === 'sh') return commandsIn(text);
    if (language === 'http') return requestsIn(text);
    return [{ kind: 'screen', lines: text.split('\n').filter(Boolean) }];
  });

/** The files in which the courier saves the inputs, in order. */
export const savedInputs = (page: string): readonly string[] => [...page.matchAll(SAVED)].map(([, path = '']) => path);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** In a text of the page, `…` stands for any characters. */
export const patternOf = (line: string): RegExp => new RegExp(`^${line.trim().split('…').map(escaped).join('.+')}$`);
