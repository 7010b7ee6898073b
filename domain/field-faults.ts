import { AppError, type ErrorCode } from './errors';

/** A fault of one field of a request; the path begins with the part of the request: `body.amount`, `query.limit`. */
export type FieldFault = { readonly path: string; readonly message: string };

type More = {
  readonly code?: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};

/** The one form of an error about fields, so that a client reads the faults of a schema and those of a rule alike: the text names the first. */
export function fieldFaults(
  issues: readonly FieldFault[],
  { code = 'InvalidRequest', details = {}, cause }: More = {},
): AppError {
  const [first] = issues;
  const message = first ? `The request is not valid: ${first.path}: ${first.message}` : 'The request is not valid';
  return new AppError(code, message, { ...details, issues }, cause);
}

/** The same for one field. Callers that pass a code keep it: clients distinguish the cases by codes and never by texts. */
export const fieldFault = (path: string, message: string, more?: More): AppError => fieldFaults([{ path, message }], more);
