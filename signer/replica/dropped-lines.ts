import { open, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Position } from '../record/journal/sealed-store';
import { segmentPath, segmentsOf } from '../record/journal/segments';
import { createFile, type Put, replaceFile } from '../record/replace-file';
import { syncFolder } from '../record/sync-folder';

const COPY_BYTES = 1024 * 1024;

/** Copies the bytes of the file from `start` on, up to `end` or to the end of the file. */
export async function copyInto(put: Put, path: string, start: number, end = Number.POSITIVE_INFINITY): Promise<void> {
  const file = await open(path, 'r');
  try {
    for (let at = start; at < end; ) {
      const length = Math.min(COPY_BYTES, end - at);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) return;
      await put(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Moves the lines after `at` into files with other names. No line is deleted. */
export async function dropBehind(stateDir: string, at: Position): Promise<void> {
  const stamp = new Date().toISOString().replace(/\W/g, '');
  const asideOf = (path: string) => join(stateDir, `dropped-${stamp}-${basename(path)}`);
  const later = segmentsOf(stateDir).filter((segment) => segment > at.segment);
  // The newest segment is moved first, so that a crash in between leaves no gap.
  for (const segment of later.reverse()) {
    const path = segmentPath(stateDir, segment);
    await rename(path, asideOf(path));
    await syncFolder(stateDir);
  }
  const path = segmentPath(stateDir, at.segment);
  await createFile(asideOf(path), (put) => copyInto(put, path, at.offsetBytes));
  await replaceFile(path, (put) => copyInto(put, path, 0, at.offsetBytes));
}
