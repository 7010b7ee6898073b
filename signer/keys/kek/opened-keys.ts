import { createHash } from 'node:crypto';
import { lengthPrefixed } from '../aead';
import type { KekPlace } from '../kek';

/** A data key stays open for this long. A signature with an open data key does not need a request to the key service. */
export const KEY_OPEN_MS = 300_000;
export const OPEN_KEYS_MAX = 1_000;

/**
 * Caches the data keys that a key service has opened. A lookup needs the ciphertext and the whole context, so no data key opens
 * under another context.
 */
export function createOpenedKeys(nowMs: () => number = () => performance.now()) {
  const open = new Map<string, { readonly key: Buffer; readonly until: number }>();
  const forget = (name: string) => {
    open.get(name)?.key.fill(0);
    open.delete(name);
  };

  return {
    /** Returns a copy, which the caller wipes. `ask` opens a key that is not cached. */
    async of(sealed: Buffer, { purpose, orgId, dekId, kekId }: KekPlace, ask: () => Promise<Buffer>): Promise<Buffer> {
      const name = createHash('sha256')
        .update(lengthPrefixed(purpose, orgId, dekId, kekId))
        .update(sealed)
        .digest('hex');
      for (const [other, { until }] of open) {
        // The map is in the order of opening. If this entry stays, the entries after it are younger and stay too.
        if (until > nowMs() && open.size < OPEN_KEYS_MAX) break;
        forget(other);
      }
      const known = open.get(name);
      if (known) return Buffer.from(known.key);
      const key = await ask();
      forget(name);
      open.set(name, { key, until: nowMs() + KEY_OPEN_MS });
      return Buffer.from(key);
    },
  };
}
