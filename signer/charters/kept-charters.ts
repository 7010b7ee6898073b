import type { CharterInForce } from './charter-in-force';

/** A parsed charter needs about ten times the memory of its text. */
const KEPT_CHARS_MAX = 4 * 1024 * 1024;

type Kept = { readonly charter: CharterInForce; readonly chars: number };

/**
 * The charters that orders used last. All their texts together have at most `KEPT_CHARS_MAX` characters, unless only one charter
 * is kept.
 */
export function createKeptCharters() {
  const kept = new Map<string, Kept>();
  let keptChars = 0;

  function forget(orgId: string): void {
    keptChars -= kept.get(orgId)?.chars ?? 0;
    kept.delete(orgId);
  }

  return {
    /** Undefined unless the charter with this digest is kept. */
    with: (orgId: string, digest: string): Kept | undefined => {
      const found = kept.get(orgId);
      return found?.charter.digest === digest ? found : undefined;
    },
    /** Keeps the charter as the most recently used charter. */
    keep(orgId: string, used: Kept): CharterInForce {
      forget(orgId);
      kept.set(orgId, used);
      keptChars += used.chars;
      for (const oldest of kept.keys()) {
        if (keptChars <= KEPT_CHARS_MAX || oldest === orgId) break;
        forget(oldest);
      }
      return used.charter;
    },
  };
}
