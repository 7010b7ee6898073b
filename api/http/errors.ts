import { AppError, type ErrorCode } from '../../domain/errors';

export type ErrorBody = {
  readonly error: {
    readonly id: string;
    readonly status: number;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The page with a section per code, whose anchors are the codes. */
export const ERRORS_PATH = '/docs/errors';

/** Codes of pg, of Postgres and of sockets for a database that could not be reached, as opposed to a wrong statement. */
const UNREACHABLE =
  /^(08...|53...|57P0.|57014|55P03|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_AGAIN)$/;
const UNREACHABLE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|connection error and is not queryable|query runner already released/i;
const CAUSES_MAX = 5;

/** Converts any error into one of the interface; an unforeseen one becomes `Internal`, with the original as its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnreachable(error)) return new AppError('NotReady', 'The service cannot answer right now; try again', {}, error);
  return new AppError('Internal', 'Internal Server Error', {}, error);
}

export function errorBody({ code, status, message, details }: AppError): ErrorBody {
  return { error: { id: code, status, message, ...(Object.keys(details).length === 0 ? {} : { details }) } };
}

/**
 * The value of `Link` (RFC 8288), which leads from a refusal to the section of its code. It is a header and not a member of the
 * body, because the contract closes `error` at id, status, message and details, and a client that validates responses would
 * reject another member. Without a public address the reference is relative, and callers resolve it against the address that
 * they called.
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
