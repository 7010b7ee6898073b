import { z } from 'zod';
import type { Summarise } from './compact-log';

/**
 * After this time a compaction drops the evidence, the long part of a signature's entry. The evidence remains in the database
 * and in the old file.
 */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

const WithEvidence = z.looseObject({ at: z.iso.datetime(), evidence: z.array(z.unknown()).min(1) });

/** Request, intent, payload, claim and signature stay for ever, because they prevent a second signature. */
export const withoutOldEvidence =
  (nowMs: number): Summarise =>
  (entry) => {
    const found = WithEvidence.safeParse(entry).data;
    if (!found || nowMs - Date.parse(found.at) < KEPT_MS) return undefined;
    const { evidence: _evidence, ...rest } = found;
    return { ...rest, evidence: [] };
  };
