import { AppError, type ErrorCode } from '../domain/errors';
import { fieldFault } from '../domain/field-faults';

/** The 400 for one field: `field` is its path within the body (`signingKey.curve`). */
export const badField = (field: string, message: string, code: ErrorCode = 'InvalidRequest'): AppError =>
  fieldFault(`body.${field}`, message, { code });

/** Turns an invalid address into a fault of the field that contains it. */
export function addressAt(field: string, parse: () => string, code?: ErrorCode): string {
  try {
    return parse();
  } catch (error) {
    throw withPath(`body.${field}`, error, code);
  }
}

/**
 * Like `addressAt`, for faults that only the chain reveals, such as a contract that is not a token. Any other error, such as
 * that of a node that does not respond, is thrown unchanged, because the caller is not at fault.
 */
export async function faultAt<T>(field: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw error instanceof AppError && error.code === 'AssetNotSupported' ? withPath(`body.${field}`, error) : error;
  }
}

/**
 * Turns an `AppError` into a fault of the field at `path`. It keeps its code unless another one is given. Any other error is
 * returned unchanged.
 */
export const withPath = (path: string, error: unknown, code?: ErrorCode): unknown =>
  error instanceof AppError ? fieldFault(path, error.message, { code: code ?? error.code, cause: error }) : error;
