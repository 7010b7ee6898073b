import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PayloadSignature } from '../protocol';
import { StartError } from '../start-error';
import { readFormer } from './journal/former-files';
import { readJournal } from './read-journal';
import type { DeviceSignedEntry, SignatureEntry, Signed } from './signing-entries';

export type VisitSigned = (signed: Signed, at: string, result: PayloadSignature) => void;
/** The signatures that a device has made for a request that was visited before. */
export type VisitMade = (made: DeviceSignedEntry) => void;

type Entry = { readonly kind: string };
const isSigned = (entry: Entry): entry is SignatureEntry => entry.kind === 'Signed';
const isMade = (entry: Entry): entry is DeviceSignedEntry => entry.kind === 'DeviceSigned';

/**
 * Visits the signatures, oldest first, under the conditions of `readJournal`. Reads the log of an older release if the folder has
 * no journal. Throws a `StartError` if the log is missing or was altered.
 */
export async function readSignatures(
  stateDir: string,
  visit: VisitSigned,
  visitMade: VisitMade = () => undefined,
): Promise<void> {
  const hasJournal = await readJournal(stateDir, (json) => {
    const entry: Entry & { readonly at: string } = JSON.parse(json);
    if (isSigned(entry)) visit(entry.signed, entry.at, entry.result);
    else if (isMade(entry)) visitMade(entry);
  });
  if (hasJournal) return;
  if (!existsSync(join(stateDir, 'signatures.jsonl'))) throw new StartError(`${stateDir} has no journal of a signer`);
  await readFormer(stateDir, 'signatures.jsonl', (entry) => {
    if (isSigned(entry)) visit(entry.signed, entry.at, entry.result);
  });
}
