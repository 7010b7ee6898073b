import { stringify } from 'csv-stringify/sync';

/** `csv` is read while it is sent, so `isTruncated` is known before the first line. */
export type CsvExport = { readonly isTruncated: boolean; readonly csv: AsyncIterable<string> };

type Source<Row> = {
  readonly columns: readonly string[];
  readonly rowsMax: number;
  /** True if the period has more rows than this. */
  readonly exceeds: (rows: number) => Promise<boolean>;
  /** At most `rowsMax` rows, beginning after a row or at the start of the period. */
  readonly page: (after: Row | undefined, rowsMax: number) => Promise<readonly Row[]>;
  readonly lineOf: (row: Row) => Readonly<Record<string, string | undefined>>;
};

const PAGE_ROWS = 1_000;

/** The rows are read page by page, which bounds memory. */
export async function csvExport<Row>(source: Source<Row>): Promise<CsvExport> {
  const isTruncated = await source.exceeds(source.rowsMax);
  return { isTruncated, csv: linesOf(source, isTruncated) };
}

async function* linesOf<Row>({ columns, rowsMax, page, lineOf }: Source<Row>, isTruncated: boolean) {
  yield stringify([columns]);
  let last: Row | undefined;
  for (let rows = 0; rows < rowsMax; rows += PAGE_ROWS) {
    const found = await page(last, PAGE_ROWS);
    // Formulas are escaped, because strangers choose some of the texts, and a spreadsheet would evaluate them.
    yield stringify(found.map(lineOf), { columns: [...columns], escape_formulas: true });
    last = found.at(-1);
    if (found.length < PAGE_ROWS) break;
  }
  if (isTruncated) yield `# TRUNCATED: the period has more than ${rowsMax} entries\n`;
}
