import type { Figure } from './bench';

/** The text outside these marks is handwritten, and no run changes it. */
const marksOf = (bench: string) => ({ begin: `<!-- bench: ${bench} -->`, end: `<!-- end: ${bench} -->` });
/** The handwritten part comes after the sections of all benches. */
const BY_HAND = '## Rounds of improvement';

/** Whether the figure meets its aim; undefined for a figure without an aim. */
export function isMet({ value, aim }: Figure): boolean | undefined {
  if (aim === undefined) return undefined;
  return 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast;
}

/** About three significant digits. */
export function spell(value: number, unit: Figure['unit']): string {
  const digits = unit === 'count' || unit === 'bytes' ? 0 : Math.max(0, 3 - Math.ceil(Math.log10(Math.max(1, Math.abs(value)))));
  const number = Number.isInteger(value) ? String(value) : value.toFixed(unit === 'count' ? 1 : digits);
  if (unit === 'ratio' || unit === 'count') return number;
  return unit === 'percent' ? `${number} %` : `${number} ${unit.replace('1/s', '/s')}`;
}

function spellAim({ aim, unit }: Figure): string {
  if (aim === undefined) return '';
  return 'atMost' in aim ? `≤ ${spell(aim.atMost, unit)}` : `≥ ${spell(aim.atLeast, unit)}`;
}

const VERDICTS = { true: 'met', false: '**missed**', undefined: '' } as const;
const verdictOf = (figure: Figure) => VERDICTS[`${isMet(figure) ?? 'undefined'}`];

/**
 * Markdown: first the table of the figures without a `cell`, and then the tables of the other figures. `taken` is the line that
 * describes the machine and the size.
 */
export function sectionOf(bench: string, taken: string, figures: readonly Figure[]): string {
  const { begin, end } = marksOf(bench);
  const listed = figures.filter(({ cell }) => cell === undefined);
  const list = listed.map(
    (figure) =>
      `| ${figure.name} | ${spell(figure.value, figure.unit)} | ${spellAim(figure)} | ${verdictOf(figure)} | ${figure.note ?? ''} |`,
  );
  const head = ['| Figure | Value | Aim | | |', '|---|---|---|---|---|'];
  const parts = [`## ${bench}`, '', taken, '', ...(list.length > 0 ? [...head, ...list, ''] : []), ...tablesOf(figures)];
  return [begin, ...parts, end].join('\n');
}

function tablesOf(figures: readonly Figure[]): readonly string[] {
  const tables = new Map<string, Map<string, Map<string, Figure>>>();
  for (const figure of figures) {
    if (!figure.cell) continue;
    const { table, row, column } = figure.cell;
    const rows = tables.get(table) ?? new Map<string, Map<string, Figure>>();
    tables.set(table, rows);
    rows.set(row, (rows.get(row) ?? new Map<string, Figure>()).set(column, figure));
  }
  return [...tables].flatMap(([table, rows]) => {
    const columns = [...new Set([...rows.values()].flatMap((cells) => [...cells.keys()]))];
    const lines = [...rows].map(([row, cells]) => {
      const values = columns.map((column) => {
        const figure = cells.get(column);
        return figure ? spell(figure.value, figure.unit).replace(/ .*/, '') : '';
      });
      return `| ${[row, ...values].join(' | ')} |`;
    });
    return [`### ${table}`, '', `| | ${columns.join(' | ')} |`, `|---|${columns.map(() => '---:').join('|')}|`, ...lines, ''];
  });
}

/** Replaces the bench's old section if there is one. Otherwise adds the section before the handwritten part. */
export function withSection(results: string, bench: string, section: string): string {
  const { begin, end } = marksOf(bench);
  const from = results.indexOf(begin);
  const to = results.indexOf(end);
  if (from >= 0 && to > from) return `${results.slice(0, from)}${section}${results.slice(to + end.length)}`;
  const hand = results.indexOf(BY_HAND);
  if (hand < 0) return `${results.trimEnd()}\n\n${section}\n`;
  return `${results.slice(0, hand)}${section}\n\n${results.slice(hand)}`;
}
