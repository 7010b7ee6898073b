import { AppError, type ErrorCode } from './errors';

/** The path begins with the part of the request, as in `body.amount` or `query.limit`. */
export type FieldFault = { readonly path: string; readonly message: string };

type More = {
  readonly code?: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};

/** The message names the first fault. */
export function fieldFaults(
  issues: readonly FieldFault[],
  { code = 'InvalidRequest', details = {}, cause }: More = {},
): AppError {
  const [first] = issues;
  const message = first ? `The request is not valid: ${first.path}: ${first.message}` : 'The request is not valid';
  return new AppError(code, message, { ...details, issues }, cause);
}

/** If clients have to distinguish the case, pass a code, because clients must never parse messages. */
export const fieldFault = (path: string, message: string, more?: More): AppError => fieldFaults([{ path, message }], more);
