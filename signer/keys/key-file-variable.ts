import { z } from 'zod';
import { readKeyFile } from './key-file';

/** A file of 64 hex digits that only its owner can read. */
export const KeyFile = z.string().transform((path, context) => {
  const key = readKeyFile(path);
  if (Buffer.isBuffer(key)) return key;
  context.addIssue({ code: 'custom', message: key.fault });
  return z.NEVER;
});

const FORM = 'path of a file with 64 hex digits, mode 0400 or 0600';
export const keyFileMeta = (description: string) => ({ form: FORM, secretFile: true, description });
