import { AppError, type ErrorCode } from '../../domain/errors';

export type ErrorBody = {
  readonly error: {
    readonly id: string;
    readonly status: number;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The anchor of each section of this page is the error code. */
export const ERRORS_PATH = '/docs/errors';

/**
 * With these codes, Postgres or a socket reports that the database could not be reached, or could not execute a correct
 * statement at this moment. The code for a faulty statement is absent, because the same request would fail again.
 */
const UNREACHABLE =
  /^(08...|53...|57P0.|57014|55P03|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_AGAIN)$/;
const UNREACHABLE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|connection error and is not queryable|query runner already released/i;
const CAUSES_MAX = 5;

/**
 * A dependency that cannot be reached causes `NotReady`. Any other unforeseen error becomes `Internal`, with the error as
 * cause.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnreachable(error)) return new AppError('NotReady', 'The service cannot answer right now; try again', {}, error);
  return new AppError('Internal', 'Internal Server Error', {}, error);
}

export function errorBody({ code, status, message, details }: AppError): ErrorBody {
  return { error: { id: code, status, message, ...(Object.keys(details).length === 0 ? {} : { details }) } };
}

/**
 * The header `Link` (RFC 8288) leads from a refusal to the section about its code. The link is not in the body, because a
 * client that validates responses against the published interface would reject an additional member. Without a public address the
 * link is relative.
 */
export const helpLink = (publicUrl: string | undefined, code: ErrorCode): string =>
  `<${(publicUrl ?? '').replace(/\/+$/, '')}${ERRORS_PATH}#${code}>; rel="help"`;

function isUnreachable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : '';
    if (UNREACHABLE.test(code) || UNREACHABLE_MESSAGE.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}
