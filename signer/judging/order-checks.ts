import type { DekRow } from '../protocol';
import { refuseUnless } from '../wire/refusal';
import type { KeyOfOrder } from './judged-orders';

/**
 * The greatest accepted difference between the time of an order and the signer's clock. The clocks of the worker and the signer
 * can disagree, and an order needs time to arrive.
 */
export const CLOCK_DRIFT_MS_MAX = 60_000;

type Moment = { readonly issuedAt: string; readonly notAfter: string };

export function assertTimely({ issuedAt, notAfter }: Moment, nowMs: number): void {
  refuseUnless(Math.abs(nowMs - Date.parse(issuedAt)) <= CLOCK_DRIFT_MS_MAX, 'ClockDrift');
  refuseUnless(nowMs <= Date.parse(notAfter), 'OrderExpired');
}

type KeyOrder = {
  readonly orgId: string;
  readonly keyId: string;
  readonly sealed: KeyOfOrder & { readonly dekId?: string };
  readonly dek?: DekRow;
};

/**
 * Throws unless the key rows belong to the organisation and the key of the order. The rows arrive with the order, and could
 * belong to another key. Only a key of an offline store has no data key.
 */
export function assertKeyRows({ orgId, keyId, sealed, dek }: KeyOrder): void {
  refuseUnless(sealed.orgId === orgId && sealed.keyId === keyId, 'KeyRowMismatch');
  refuseUnless(sealed.dekId === dek?.dekId && (dek === undefined || dek.orgId === orgId), 'KeyRowMismatch');
}
