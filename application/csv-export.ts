import { stringify } from 'csv-stringify/sync';

export type CsvExport = {
  readonly isTruncated: boolean;
  /** The number of rows that are sent. */
  readonly rows: number;
  /** The rows are read while the CSV is sent. */
  readonly csv: AsyncIterable<string>;
};

export type CsvSource<Cursor, Row extends Cursor> = {
  readonly columns: readonly string[];
  readonly rowsMax: number;
  /** Counts the rows after a row, or from the start of the period, up to `rowsMax`. */
  readonly count: (after: Cursor | undefined, rowsMax: number) => Promise<number>;
  readonly page: (after: Cursor | undefined, rowsMax: number) => Promise<readonly Row[]>;
  /** `rows` is the number of rows up to and including this row. */
  readonly lineOf: (row: Row, rows: number) => Readonly<Record<string, string | undefined>>;
};

/** An export starts after the row `after`. `rows` is the number of rows up to and including that row. */
export type CsvStart<Cursor> = { readonly after: Cursor | undefined; readonly rows: number };

const PAGE_ROWS = 500;
const BEGINNING = { after: undefined, rows: 0 };

/**
 * The rows are read page by page, which bounds memory. An export that begins after a row has no header line, so that the lines
 * can be appended to the earlier ones.
 */
export async function csvExport<Cursor, Row extends Cursor>(
  source: CsvSource<Cursor, Row>,
  start: CsvStart<Cursor> = BEGINNING,
): Promise<CsvExport> {
  const rowsLeft = Math.max(0, source.rowsMax - start.rows);
  const rows = await source.count(start.after, rowsLeft + 1);
  const isTruncated = rows > rowsLeft;
  return { isTruncated, rows: Math.min(rows, rowsLeft), csv: linesOf(source, start, isTruncated) };
}

async function* linesOf<Cursor, Row extends Cursor>(
  { columns, rowsMax, page, lineOf }: CsvSource<Cursor, Row>,
  start: CsvStart<Cursor>,
  isTruncated: boolean,
) {
  let { after, rows } = start;
  if (after === undefined) yield stringify([columns]);
  while (rows < rowsMax) {
    const asked = Math.min(PAGE_ROWS, rowsMax - rows);
    const found = await page(after, asked);
    const before = rows;
    // Formulas are escaped, because strangers choose some of the texts, and a spreadsheet would evaluate them.
    yield stringify(
      found.map((row, at) => lineOf(row, before + at + 1)),
      { columns: [...columns], escape_formulas: true },
    );
    rows += found.length;
    after = found.at(-1) ?? after;
    if (found.length < asked) return;
  }
  // Rows may have been recorded after the count, and the export must not hide that these rows are missing.
  if (isTruncated || (await page(after, 1)).length > 0) yield `# TRUNCATED: the period has more than ${rowsMax} entries\n`;
}
