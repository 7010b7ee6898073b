import { AppError } from '../domain/errors';

/** The 400 of one field: `field` is its path below the body (`signingKey.curve`). */
export const badField = (field: string, message: string): AppError =>
  new AppError('InvalidRequest', `${field} ${message}`, { issues: [{ path: `body.${field}`, message }] });

/** An address that is wrong is a fault of one field of the body, and the caller is told which. */
export function addressAt(field: string, parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { issues: [{ path: `body.${field}`, message: error.message }] }, error);
  }
}
