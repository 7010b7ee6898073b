import { AppError } from '../domain/errors';

/** The 400 of one field: `field` is its path below the body (`signingKey.curve`). */
export const badField = (field: string, message: string): AppError =>
  new AppError('InvalidRequest', `${field} ${message}`, { issues: [{ path: `body.${field}`, message }] });

/** An address that is wrong is a fault of one field of the body, and the caller is told which. */
export function addressAt(field: string, parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    throw withPath(field, error);
  }
}

/** The same of what is wrong only as the chain has it: a contract that is no token. A node that does not answer is nobody's fault here. */
export async function faultAt<T>(field: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw error instanceof AppError && error.code === 'AssetNotSupported' ? withPath(field, error) : error;
  }
}

function withPath(field: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  return new AppError(error.code, error.message, { issues: [{ path: `body.${field}`, message: error.message }] }, error);
}
