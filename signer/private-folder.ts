import { mkdirSync, statSync } from 'node:fs';
import { StartError } from './start-error';

/** Throws a `StartError` for a folder that others may read. */
export function preparePrivateFolder(path: string, forbidden = 0o077): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const mode = statSync(path).mode & 0o777;
  if ((mode & forbidden) === 0) return;
  const wanted = forbidden === 0o077 ? '0700' : '0700, or 0750 for a group that may reach the socket';
  throw new StartError(`${path} has mode 0${mode.toString(8)}; it must be ${wanted}`);
}
