/** No published scheme uses longer paths; BIP44 has five levels. */
const LEVELS_MAX = 10;
/** Indices from 2^31 on are hardened, and are written with an apostrophe (BIP32, section "Extended keys"). */
const INDEX_LIMIT = 2 ** 31;

/** `index` is the number as written: a hardened index does not include the 2^31. */
export type PathLevel = { readonly index: number; readonly hardened: boolean };

/**
 * Returns the levels of a BIP32 path such as `m/44'/60'/0'/0/0`; undefined for any other text. Leading zeros are rejected,
 * because a path must have only one spelling.
 */
export function parseDerivationPath(text: string): readonly PathLevel[] | undefined {
  if (!/^m(?:\/(?:0|[1-9][0-9]{0,9})'?){1,10}$/.test(text)) return undefined;
  const levels = text
    .split('/')
    .slice(1)
    .map((level) => ({ index: Number.parseInt(level, 10), hardened: level.endsWith("'") }));
  return levels.length <= LEVELS_MAX && levels.every(({ index }) => index < INDEX_LIMIT) ? levels : undefined;
}

/** The path is hardened, because every curve supports hardened derivation. */
export const childPath = (index: number): string => `m/${index}'`;
