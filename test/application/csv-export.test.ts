import { csvExport } from '../../application/csv-export';

type Row = { readonly id: number };
const ROWS_MAX = 3;

/** A list of numbers that grows by `later` rows after it was counted. */
const sourceOf = (counted: number, later: number) => ({
  columns: ['id'],
  rowsMax: ROWS_MAX,
  count: async (after: Row | undefined, rowsMax: number) => Math.min(rowsMax, counted - (after?.id ?? 0)),
  page: async (after: Row | undefined, rowsMax: number) =>
    Array.from({ length: counted + later }, (_row, at) => ({ id: at + 1 }))
      .filter(({ id }) => id > (after?.id ?? 0))
      .slice(0, rowsMax),
  lineOf: ({ id }: Row) => ({ id: String(id) }),
});

async function textOf(csv: AsyncIterable<string>) {
  let text = '';
  for await (const part of csv) text += part;
  return text;
}

test.each([
  [2, 0, false, 'id\n1\n2\n'],
  [3, 0, false, 'id\n1\n2\n3\n'],
  [4, 0, true, 'id\n1\n2\n3\n# TRUNCATED: the period has more than 3 entries\n'],
  [3, 1, false, 'id\n1\n2\n3\n# TRUNCATED: the period has more than 3 entries\n'],
])(
  '%d rows and %d added later: the header contains %s, and the last line is correct',
  async (counted, later, isTruncated, text) => {
    const { csv, rows, ...head } = await csvExport(sourceOf(counted, later));
    expect([head.isTruncated, rows, await textOf(csv)]).toEqual([isTruncated, Math.min(counted, ROWS_MAX), text]);
  },
);

test('an export that begins after a row counts the rows before it, and has no header', async () => {
  const { csv, rows } = await csvExport(sourceOf(4, 0), { after: { id: 2 }, rows: 2 });
  expect([rows, await textOf(csv)]).toEqual([1, '3\n# TRUNCATED: the period has more than 3 entries\n']);
});
