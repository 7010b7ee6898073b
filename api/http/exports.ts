import { type ExportList, type ExportPeriod, exportPage, resumableCsv } from '../../application/resumable-export';
import type { Reader } from '../../entities/database';
import type { TextAnswer } from './answer';
import { afterOf, tokenAfter } from './pagination';
import { csvAnswer } from './period';

type Asked = ExportPeriod & { readonly limit: number; readonly paginationToken?: string | undefined };
type Asking = { readonly reader: Reader; readonly orgId: string; readonly prefersJson: boolean };

/**
 * Returns one page to a client that prefers JSON, and otherwise CSV up to the end of the period. A pagination token continues
 * either form.
 */
export async function answerExport<Cursor, Row extends Cursor, View>(
  list: ExportList<Cursor, Row>,
  viewOf: (row: Row) => View,
  { limit, paginationToken, startTime, endTime }: Asked,
  { reader, orgId, prefersJson }: Asking,
): Promise<TextAnswer | { orgId: string; items: View[]; nextPageToken?: string }> {
  const order = { orgId, period: { startTime, endTime }, after: afterOf(paginationToken) };
  if (!prefersJson) return csvAnswer(await resumableCsv(list, reader, order, tokenAfter));
  const { rows, nextKey } = await exportPage(list, reader, { ...order, limit });
  return { orgId, items: rows.map(viewOf), ...(nextKey === undefined ? {} : { nextPageToken: tokenAfter(nextKey) }) };
}
