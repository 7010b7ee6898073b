import type { Figure } from '../../bench/bench';
import { isMet, sectionOf, spell, withSection } from '../../bench/results';

const ratio = (value: number): Figure => ({ name: 'T/F2', value, unit: 'ratio', aim: { atMost: 1.3 } });

test('an aim is met at its bound and missed beyond the bound, for upper and for lower bounds', () => {
  expect([ratio(1.3), ratio(1.31)].map(isMet)).toEqual([true, false]);
  const rate = (value: number): Figure => ({ name: 'relayed', value, unit: '1/s', aim: { atLeast: 1_000 } });
  expect([rate(1_000), rate(999)].map(isMet)).toEqual([true, false]);
  expect(isMet({ name: 'told', value: 1, unit: 'ms' })).toBeUndefined();
});

test('a number is written with no more digits than needed', () => {
  expect([
    spell(1.2345, 'ratio'),
    spell(1234.5, 'ms'),
    spell(0.1234, 'percent'),
    spell(12, 'count'),
    spell(950.4, '1/s'),
  ]).toEqual(['1.23', '1235 ms', '0.123 %', '12', '950 /s']);
});

test('a section lists its figures with their aims, and puts figures with a table cell into tables', () => {
  const cell = (row: string, column: string, value: number): Figure => ({
    name: '',
    value,
    unit: 'ms',
    cell: { table: 'CPU', row, column },
  });
  const section = sectionOf('workflows', 'Today.', [
    ratio(2),
    cell('T', 'worker', 70),
    cell('F2', 'worker', 20),
    cell('T', 'api', 9),
  ]);
  expect(section).toContain('| T/F2 | 2 | ≤ 1.30 | **missed** |  |');
  expect(section).toContain('| | worker | api |\n|---|---:|---:|\n| T | 70 | 9 |\n| F2 | 20 |  |');
});

const BY_HAND = '# Results\n\nAn introduction.\n\n## Rounds of improvement\n\nWhat was tried.\n';

test('figures are inserted before the text that people wrote, which stays unchanged', () => {
  const once = withSection(BY_HAND, 'relay', sectionOf('relay', 'Today.', [ratio(1)]));
  expect(once.startsWith('# Results\n\nAn introduction.\n\n<!-- bench: relay -->')).toBe(true);
  expect(once.endsWith('<!-- end: relay -->\n\n## Rounds of improvement\n\nWhat was tried.\n')).toBe(true);
});

test('a bench replaces only its own figures', () => {
  const both = withSection(
    withSection(BY_HAND, 'relay', sectionOf('relay', 'First.', [])),
    'reads',
    sectionOf('reads', 'Reads.', []),
  );
  const again = withSection(both, 'relay', sectionOf('relay', 'Second.', []));
  expect(again).toBe(both.replace('First.', 'Second.'));
});
