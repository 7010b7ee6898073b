import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PayloadSignature } from '../protocol';
import { StartError } from '../start-error';
import { altered, GENESIS, readBatches } from './journal/chained-lines';
import { readFormer } from './journal/former-files';
import { headingOf, segmentPath, segmentsOf } from './journal/segments';
import type { SignatureEntry, Signed } from './signing-entries';

export type VisitSigned = (signed: Signed, at: string, result: PayloadSignature) => void;

const isSigned = (entry: { readonly kind: string }): entry is SignatureEntry => entry.kind === 'Signed';

/**
 * Oldest first. The signer of the folder may be running. Needs no key: the chain is checked, and the seals are not. Reads the
 * log of an older release if the folder has no journal. Throws a `StartError` if the log is missing or was altered.
 */
export async function readSignatures(stateDir: string, visit: VisitSigned): Promise<void> {
  const segments = segmentsOf(stateDir);
  if (segments.length === 0) {
    if (!existsSync(join(stateDir, 'signatures.jsonl'))) throw new StartError(`${stateDir} has no journal of a signer`);
    await readFormer(stateDir, 'signatures.jsonl', (entry) => {
      if (isSigned(entry)) visit(entry.signed, entry.at, entry.result);
    });
  }
  let last = GENESIS;
  for (const [at, segment] of segments.entries()) {
    const path = segmentPath(stateDir, segment);
    const next = segments[at + 1];
    const until = next === undefined ? undefined : (await headingOf(segmentPath(stateDir, next))).after;
    try {
      ({ last } = await readBatches(path, { from: { last, offsetBytes: 0 }, until }, (jsons) => {
        for (const json of jsons) {
          const entry: SignatureEntry & { readonly at: string } = JSON.parse(json);
          if (isSigned(entry)) visit(entry.signed, entry.at, entry.result);
        }
      }));
    } catch (error) {
      throw altered(path, error);
    }
  }
}
