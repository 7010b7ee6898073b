import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KekProvider } from '../../../../signer/keys/kek';
import type { Journal } from '../../../../signer/record/journal/journal';
import { verifyFolder } from '../../../../signer/record/verification/verify-folder';
import { kekOf, openOperations, temporaryFolder } from '../../fixtures';

/** Path, size, time and digest of everything in the folder. */
function bytesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => {
      const { size, mtimeMs, ctimeMs } = statSync(path);
      const digest = statSync(path).isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      return `${path} ${size} ${mtimeMs} ${ctimeMs} ${digest}`;
    });
}

export const withdrawal = (requestId: string, orgId = 'or-a') => ({ kind: 'Withdrawn', orgId, requestId }) as const;
export const takeover = { mustCopy: true, assertHeld: () => undefined };

/** State folders of signers, all under the same key-encryption key, and a folder for the temporary files of the checks. */
export function createVerifiedPlace() {
  const temporary = temporaryFolder();
  const workDir = join(temporary.path, 'work');
  mkdirSync(workDir);
  let count = 0;
  const check = (stateDir: string, kek: KekProvider = kekOf(7), orgId?: string) =>
    verifyFolder({ stateDir, kek, operatorKey: undefined, orgId, workDir });

  return {
    check,
    remove: temporary.remove,
    newFolder(): string {
      count += 1;
      const path = join(temporary.path, `state-${count}`);
      mkdirSync(path, { mode: 0o700 });
      return path;
    },
    copyOf(stateDir: string): string {
      count += 1;
      const path = join(temporary.path, `state-${count}`);
      cpSync(stateDir, path, { recursive: true, preserveTimestamps: true });
      return path;
    },
    /** Checks a folder without a running signer, and expects that the check does not change any file or its time. */
    async unchanged(stateDir: string, ...more: [kek?: KekProvider, orgId?: string]) {
      const before = bytesOf(stateDir);
      try {
        return await check(stateDir, ...more);
      } finally {
        expect(bytesOf(stateDir)).toEqual(before);
        expect(readdirSync(workDir)).toEqual([]);
      }
    },
    /** Makes the folder of a signer with these entries. */
    async fill(stateDir: string, work: (journal: Journal) => Promise<unknown>): Promise<void> {
      const signer = await openOperations(stateDir);
      await work(signer.journal);
      await signer.close();
    },
  };
}

export const segmentOf = (stateDir: string, number: number) => join(stateDir, `journal-${String(number).padStart(6, '0')}.jsonl`);
export const indexIn = (stateDir: string): string => {
  const names = readdirSync(stateDir).filter((name) => name.startsWith('index-'));
  expect(names).toHaveLength(1);
  return join(stateDir, names[0] ?? '');
};

/** Changes one bit of the byte at this offset in the first occurrence of a text. */
export function flipIn(path: string, text: string, at = 0): void {
  const bytes = readFileSync(path);
  const place = bytes.indexOf(text);
  expect(place).toBeGreaterThanOrEqual(0);
  bytes[place + at] = (bytes[place + at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
