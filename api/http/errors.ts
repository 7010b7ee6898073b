import { AppError } from '../../domain/errors';

export type ErrorBody = {
  readonly error: {
    readonly id: string;
    readonly status: number;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** Codes of pg, Postgres and sockets for an unreachable database, as opposed to a faulty query. */
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

function isUnreachable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : '';
    if (UNREACHABLE.test(code) || UNREACHABLE_MESSAGE.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}
