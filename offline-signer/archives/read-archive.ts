import type { z } from 'zod';
import { canonical } from '../../platform/canonical';
import { parseStrictJson } from '../../platform/strict-json';
import { printable } from '../printable';
import { Refused } from '../refused';
import { isBounded } from './bounds';

const FAULTS_SHOWN = 3;
/** A fault repeats names of the file, which can be long. */
const FAULT_CHARS_MAX = 300;

/**
 * Reads an archive, which has exactly one text: canonical JSON with no member that the form does not have. `what` completes the
 * sentence "This file is not …".
 */
export function archiveIn<S extends z.ZodType>(text: string, form: S, what: string): z.output<S> {
  if (!isBounded(text)) throw new Refused(`This file is not ${what}: it is too long, too deep or has too many values.`);
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  if (!json.ok) throw new Refused(`This file is not ${what}: ${printable(`${json.fault.path} ${json.fault.message}`)}`);
  const read = form.safeParse(json.value);
  if (!read.success) {
    const faults = read.error.issues.slice(0, FAULTS_SHOWN).map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Refused(`This file is not ${what}: ${printable(faults.join('; ')).slice(0, FAULT_CHARS_MAX)}`);
  }
  if (canonical(json.value as never) !== text) throw new Refused(`This file is not ${what}: it is not in canonical form.`);
  return read.data;
}
