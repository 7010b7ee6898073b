const PROGRAM = 'strongroom-offline-signer';
const PART = /^```(sh|http|text)\n([\s\S]*?)^```$|\bas\s+`(medium\/[a-z]+\/input\.json)`/gm;

/** A step of `docs/ceremonies.md`, in the order of the page. */
export type PageStep =
  | { readonly kind: 'command'; readonly machine: string; readonly words: readonly string[] }
  | { readonly kind: 'request'; readonly method: string; readonly path: string; readonly body: unknown }
  | { readonly kind: 'screen'; readonly lines: readonly string[] }
  /** The courier saves the response of an input in this file. */
  | { readonly kind: 'saved'; readonly path: string };

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
    const [, method, path = ''] = /^(GET|POST) (\/\S+)$/.exec(line) ?? [];
    const last = steps.at(-1);
    if (method !== undefined) steps.push({ kind: 'request', method, path, body: {} });
    else if (last?.kind === 'request') steps.splice(-1, 1, { ...last, body: JSON.parse(line) });
  }
  return steps;
}

/** Everything in the text that people do, request, save or see. */
export const stepsOf = (text: string): readonly PageStep[] =>
  [...text.matchAll(PART)].flatMap(([, language, block = '', saved]): PageStep[] => {
    if (saved !== undefined) return [{ kind: 'saved', path: saved }];
    if (language === 'sh') return commandsIn(block);
    if (language === 'http') return requestsIn(block);
    return [{ kind: 'screen', lines: block.split('\n').filter(Boolean) }];
  });

/** The text of the section with this title. */
export function sectionOf(page: string, title: string): string {
  const [, section] = page.split(new RegExp(`^##+ ${title}$`, 'm'));
  if (section === undefined) throw new Error(`the page has no section "${title}"`);
  return section.split(/^##+ /m)[0] ?? '';
}
