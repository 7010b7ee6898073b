import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { CHARTER_CODE, type Charter, type CharterLimit } from '../../signer/wire/operator-api';

/** In JSON, an escaped character of the charter may take up six characters. */
const FILE_BYTES_MAX = 6 * CHARTER_CODE.bytesMax + 1_024;
type Read = { readonly text: string; readonly charter: Charter };

async function textOf(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > FILE_BYTES_MAX) throw new Error(`${path} is too long for a charter`);
  return readFile(path, 'utf8');
}

function charterIn(path: string, text: string): Read {
  const charter = CHARTER_CODE.read(text);
  if (!charter) throw new Error([`${path} does not hold a charter:`, ...CHARTER_CODE.faults(text).slice(0, 10)].join('\n  '));
  return { text, charter };
}

/** The text that `authority:draft` wrote. */
export const readDraft = async (path: string): Promise<Read> => charterIn(path, await textOf(path));

/** A JSON list of limits (docs/operations.md#charters). */
export async function readLimits(path: string): Promise<readonly CharterLimit[]> {
  const text = await textOf(path);
  try {
    return CHARTER_CODE.Limits.parse(JSON.parse(text));
  } catch (error) {
    const faults = error instanceof z.ZodError ? z.prettifyError(error) : 'it is not JSON';
    throw new Error(`${path} does not hold limits: ${faults}`);
  }
}

/** The file that `authority:sign` wrote. Does not check the signature. */
export async function readSigned(path: string) {
  const signed = signedIn(await textOf(path));
  if (!signed) throw new Error(`${path} does not hold a signed charter`);
  return { signed, ...charterIn(path, signed.charter) };
}

function signedIn(text: string) {
  try {
    return CHARTER_CODE.SignedCharter.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
