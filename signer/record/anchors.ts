import { createHmac, timingSafeEqual } from 'node:crypto';

/** States the kind of the text, even though the key of the MAC is used only for anchors. */
const FORM = 'anchor1';
const MAC_BYTES = 32;
/** Id, time in milliseconds and MAC. Only this spelling of a number is read, so that a text has one meaning. */
const ANCHOR = /^anchor1\.([A-Za-z0-9_-]{1,64})\.(0|[1-9][0-9]{0,14})\.([A-Za-z0-9_-]{43})$/;

export interface Anchors {
  /** An ASCII text that only this signer can make, and that contains the time at which the signer made it. */
  make(nowMs: number): string;
  /** The time at which this signer made the text. Undefined for every other text. */
  madeAtMs(anchor: string): number | undefined;
}

type Parts = { readonly signerId: string; readonly key: Buffer };

/**
 * An action that commits to an anchor was announced after the anchor's time. No one can have signed the action earlier, so the
 * signer knows the maximum age of the action. Anchors are not stored: a restored or restarted signer recognises its own anchors
 * by the key.
 */
export function createAnchors({ signerId, key }: Parts): Anchors {
  const macOf = (text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();
  const textOf = (timeMs: string): string => `${FORM}.${signerId}.${timeMs}`;
  return {
    make(nowMs) {
      const text = textOf(String(nowMs));
      return `${text}.${macOf(text).toString('base64url')}`;
    },
    madeAtMs(anchor) {
      const [, madeBy, timeMs, mac] = ANCHOR.exec(anchor) ?? [];
      if (madeBy !== signerId || timeMs === undefined || mac === undefined) return undefined;
      const bytes = Buffer.from(mac, 'base64url');
      // The last character of base64 has spare bits, and a different spelling must not be accepted as the same anchor.
      if (bytes.length !== MAC_BYTES || bytes.toString('base64url') !== mac) return undefined;
      return timingSafeEqual(bytes, macOf(textOf(timeMs))) ? Number(timeMs) : undefined;
    },
  };
}
