import { fieldFault } from '../domain/field-faults';
import { clockOf } from '../entities/clock';
import type { Reader } from '../entities/database';
import { sha256Hex } from '../platform/digests';
import { type CsvExport, csvExport } from './csv-export';

/** Both ends belong to the period. */
export type ExportPeriod = { readonly startTime: Date; readonly endTime: Date };
/** Rows that were recorded after `asOf` are left out, so every part of a continued export covers the same rows. */
export type RecordedPeriod = ExportPeriod & { readonly asOf: Date };

/**
 * A list that belongs to one organisation and is exported as pages or as CSV. A cursor is the place of a row in the order of the
 * list.
 */
export type ExportList<Cursor, Row extends Cursor> = {
  readonly name: string;
  /** The columns of the CSV. An additional column contains the token with which the export continues after the line. */
  readonly columns: readonly string[];
  readonly rowsMax: number;
  readonly count: (reader: Reader, period: RecordedPeriod, after: Cursor | undefined, rowsMax: number) => Promise<number>;
  readonly page: (reader: Reader, period: RecordedPeriod, after: Cursor | undefined, rowsMax: number) => Promise<Row[]>;
  readonly lineOf: (row: Row) => Readonly<Record<string, string | undefined>>;
  readonly keyOf: (place: Cursor) => string;
  /** Undefined for a text that is not a key of this list. */
  readonly cursorOf: (key: string) => Cursor | undefined;
};

type Order = {
  readonly orgId: string;
  readonly period: ExportPeriod;
  /** A key from an earlier response; undefined for the beginning. */
  readonly after: string | undefined;
};
type Place<Cursor> = { readonly period: RecordedPeriod; readonly after: Cursor | undefined; readonly rows: number };

const KEY = /^([0-9a-f]{8})\.(\d{1,15})\.(\d{1,9})\.(.+)$/;

/**
 * A key continues only the export of the same list, organisation and period, because in a different export the key would cause a
 * silent gap.
 */
const tagOf = (name: string, { orgId, period: { startTime, endTime } }: Order): string =>
  sha256Hex(JSON.stringify([name, orgId, startTime, endTime])).slice(0, 8);

/** Throws `InvalidPaginationToken`. */
async function placeOf<Cursor, Row extends Cursor>(
  { name, cursorOf }: ExportList<Cursor, Row>,
  reader: Reader,
  order: Order,
): Promise<Place<Cursor>> {
  if (order.after === undefined) {
    const now = await clockOf(reader);
    // Dates of rows are rounded to milliseconds, so the date of an existing row can be one millisecond later than the clock.
    return { period: { ...order.period, asOf: new Date(now.getTime() + 1) }, after: undefined, rows: 0 };
  }
  const [, tag, asOf, rows, key] = KEY.exec(order.after) ?? [];
  const after = key === undefined || tag !== tagOf(name, order) ? undefined : cursorOf(key);
  if (after === undefined)
    throw fieldFault('query.paginationToken', 'does not belong to this export', { code: 'InvalidPaginationToken' });
  return { period: { ...order.period, asOf: new Date(Number(asOf)) }, after, rows: Number(rows) };
}

function keyingOf<Cursor, Row extends Cursor>({ name, keyOf }: ExportList<Cursor, Row>, order: Order, { period }: Place<Cursor>) {
  const tag = tagOf(name, order);
  return (row: Row, rows: number): string => `${tag}.${period.asOf.getTime()}.${rows}.${keyOf(row)}`;
}

/** Oldest first. `nextKey` is absent on the last page. Throws `InvalidPaginationToken`. */
export async function exportPage<Cursor, Row extends Cursor>(
  list: ExportList<Cursor, Row>,
  reader: Reader,
  order: Order & { readonly limit: number },
): Promise<{ readonly rows: readonly Row[]; readonly nextKey?: string }> {
  const place = await placeOf(list, reader, order);
  const found = await list.page(reader, place.period, place.after, order.limit + 1);
  const rows = found.slice(0, order.limit);
  const last = rows.at(-1);
  return found.length > order.limit && last
    ? { rows, nextKey: keyingOf(list, order, place)(last, place.rows + rows.length) }
    : { rows };
}

/** Oldest first. `tokenOf` converts a key into a token. Throws `InvalidPaginationToken`. */
export async function resumableCsv<Cursor, Row extends Cursor>(
  list: ExportList<Cursor, Row>,
  reader: Reader,
  order: Order,
  tokenOf: (key: string) => string,
): Promise<CsvExport> {
  const { columns, rowsMax, count, page, lineOf } = list;
  const place = await placeOf(list, reader, order);
  const keyOf = keyingOf(list, order, place);
  return csvExport(
    {
      columns: [...columns, 'paginationToken'],
      rowsMax,
      count: (after, max) => count(reader, place.period, after, max),
      page: (after: Cursor | undefined, max) => page(reader, place.period, after, max),
      lineOf: (row: Row, rows) => ({ ...onOneLine(lineOf(row)), paginationToken: tokenOf(keyOf(row, rows)) }),
    },
    place,
  );
}

/**
 * With each row on one line, a client can find the last complete line, and a stranger's text cannot pass for a line of the
 * export.
 */
const onOneLine = (line: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(line).map(([column, text]) => [column, text?.replace(/[\r\n]+/g, ' ')]));
