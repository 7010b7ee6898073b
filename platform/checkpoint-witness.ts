import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { requestGuarded } from './guarded-request';
import type { WitnessLine } from './witness-line';

export type Witnessed = WitnessLine & { readonly orgId: string };

/** A store for checkpoints outside the service: a folder or a server. */
export type CheckpointWitness = {
  /** Resolves once the witness has every checkpoint. A repeated call writes the same lines again. */
  readonly keep: (checkpoints: readonly Witnessed[]) => Promise<void>;
};

/** `file:` names a folder, and `https:` an address. Plain http is allowed only outside production. */
export const WitnessUrl = z.url({ protocol: /^(file|https?)$/ });

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1_024;
const NEWLINE = '\n'.charCodeAt(0);

const textOf = (checkpoints: readonly Witnessed[]): string =>
  checkpoints.map(({ chain, statement, signature }) => `${JSON.stringify({ chain, statement, signature })}\n`).join('');

/** Appends the text on a new line, even if a crash has cut the last line. */
async function append(path: string, text: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isCut = bytesRead === 1 && buffer[0] !== NEWLINE;
    await file.appendFile(`${isCut ? '\n' : ''}${text}`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The folder must exist, because a folder that is not mounted must not be replaced by a folder on the worker's disk. */
const folderWitness = (folder: string): CheckpointWitness => ({
  keep: async (checkpoints) => {
    for (const orgId of new Set(checkpoints.map((one) => one.orgId)))
      await append(join(folder, `${orgId}.jsonl`), textOf(checkpoints.filter((one) => one.orgId === orgId)));
  },
});

const httpWitness = (url: string): CheckpointWitness => ({
  keep: async (checkpoints) => {
    const headers = { 'content-type': 'application/x-ndjson', 'user-agent': 'Strongroom-Checkpoints' };
    const { ok, status } = await requestGuarded(
      { url, method: 'POST', headers, body: textOf(checkpoints) },
      { internalOrigins: [new URL(url).origin], timeoutMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX },
    );
    if (!ok) throw new Error(`the witness answered ${status}`);
  },
});

export const createWitness = (url: string): CheckpointWitness =>
  url.startsWith('file:') ? folderWitness(fileURLToPath(url)) : httpWitness(url);
