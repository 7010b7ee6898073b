import { AppError } from '../domain/errors';

/** The 400 of one field: `field` is its path below the body (`signingKey.curve`). */
export const badField = (field: string, message: string): AppError =>
  new AppError('InvalidRequest', `${field} ${message}`, { issues: [{ path: `body.${field}`, message }] });
