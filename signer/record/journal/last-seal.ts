import type { FileHandle } from 'node:fs/promises';

const WINDOW_BYTES = 64 * 1024;
const SEAL_LINE = /(?<=^|\n)[0-9a-f]{64} \{"seal":"[0-9a-f]{64}"\}\n/g;

/** The end of the last sealed batch; 0 if there is no sealed batch. Checks only the form of the seal. */
export async function lastSealEnd(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  for (let windowBytes = WINDOW_BYTES; ; windowBytes *= 4) {
    const from = Math.max(0, size - windowBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const last = [...buffer.toString('latin1', 0, bytesRead).matchAll(SEAL_LINE)].at(-1);
    if (last) return from + last.index + last[0].length;
    if (from === 0) return 0;
  }
}
