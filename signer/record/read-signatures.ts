import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PayloadSignature } from '../protocol';
import { StartError } from '../start-error';
import { readFormer } from './journal/former-files';
import { readJournal } from './read-journal';
import type { SignatureEntry, Signed } from './signing-entries';

export type VisitSigned = (signed: Signed, at: string, result: PayloadSignature) => void;

const isSigned = (entry: { readonly kind: string }): entry is SignatureEntry => entry.kind === 'Signed';

/**
 * Visits the signatures, oldest first, under the conditions of `readJournal`. Reads the log of an older release if the folder has
 * no journal. Throws a `StartError` if the log is missing or was altered.
 */
export async function readSignatures(stateDir: string, visit: VisitSigned): Promise<void> {
  const hasJournal = await readJournal(stateDir, (json) => {
    const entry: SignatureEntry & { readonly at: string } = JSON.parse(json);
    if (isSigned(entry)) visit(entry.signed, entry.at, entry.result);
  });
  if (hasJournal) return;
  if (!existsSync(join(stateDir, 'signatures.jsonl'))) throw new StartError(`${stateDir} has no journal of a signer`);
  await readFormer(stateDir, 'signatures.jsonl', (entry) => {
    if (isSigned(entry)) visit(entry.signed, entry.at, entry.result);
  });
}
