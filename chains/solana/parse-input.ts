import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { bytesIn, type Wire, wireOf } from './encoding';

/** The error has status 400. `at` is the path of the transaction in the request. */
export const inputFaultAt =
  (at: string) =>
  (message: string): AppError =>
    fieldFault(at, message);

/**
 * Reads a transaction or a bare message, legacy or of version 0, as 0x-hex, hex or base64. Throws `fault` for anything else.
 */
export function wireIn(text: string, fault: ReturnType<typeof inputFaultAt>): Wire {
  const bytes = bytesIn(text);
  if (!bytes) throw fault('must be hexadecimal or base64');
  const wire = wireOf(bytes);
  if (!wire) throw fault('is not the canonical encoding of one Solana transaction or message');
  const { version } = wire.message;
  if (version !== 'legacy' && version !== 0) throw fault('must be a legacy transaction or one of version 0');
  return wire;
}
