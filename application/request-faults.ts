import { AppError, type ErrorCode } from '../domain/errors';
import { fieldFault } from '../domain/field-faults';

/** The error for one field of the body; `field` is a path such as `signingKey.curve`. */
export const badField = (field: string, message: string, code: ErrorCode = 'InvalidRequest'): AppError =>
  fieldFault(`body.${field}`, message, { code });

export function addressAt(field: string, parse: () => string, code?: ErrorCode): string {
  try {
    return parse();
  } catch (error) {
    throw withPath(`body.${field}`, error, code);
  }
}

/**
 * Converts an `AssetNotSupported` error from `look` to a fault of the field. Any other error is thrown unchanged, because the
 * caller has not caused the error.
 */
export async function faultAt<T>(field: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw error instanceof AppError && error.code === 'AssetNotSupported' ? withPath(`body.${field}`, error) : error;
  }
}

/** The error keeps its code unless another code is given. An error that is not an `AppError` is returned unchanged. */
export const withPath = (path: string, error: unknown, code?: ErrorCode): unknown =>
  error instanceof AppError ? fieldFault(path, error.message, { code: code ?? error.code, cause: error }) : error;
