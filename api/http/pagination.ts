import { z } from 'zod';
import { fieldFault } from '../../domain/field-faults';

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 500;
const LIMIT_RULE = `must be a whole number from 1 to ${PAGE_LIMIT_MAX}`;

/** A query carries a number as text. */
export const PageQuery = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMIT_RULE)
    .transform(Number)
    .pipe(z.number().max(PAGE_LIMIT_MAX, LIMIT_RULE))
    .default(PAGE_LIMIT_DEFAULT)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
    }),
  paginationToken: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('The nextPageToken of the previous page; absent for the first page'),
});

export const NextPageToken = z
  .string()
  .optional()
  .describe('Send it as paginationToken to read the next page; absent on the last page');

/** The next page begins after the row with this id. */
export const tokenAfter = (id: string): string => Buffer.from(JSON.stringify({ v: 1, after: id }), 'utf8').toString('base64url');

const Token = z.strictObject({ v: z.literal(1), after: z.string().min(1).max(128) });

/** Undefined for the first page. */
export function afterOf(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  try {
    return Token.parse(JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))).after;
  } catch (error) {
    throw fieldFault('query.paginationToken', 'does not belong to this list', {
      code: 'InvalidPaginationToken',
      cause: error,
    });
  }
}

/** `rows` may contain `limit + 1` rows: the additional row shows that another page follows. */
export function pageOf<R extends { readonly id: string }>(
  rows: readonly R[],
  limit: number,
): { rows: readonly R[]; nextPageToken?: string } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return rows.length > limit && last ? { rows: page, nextPageToken: tokenAfter(last.id) } : { rows: page };
}
