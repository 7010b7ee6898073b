import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations';
import type { Index } from './journal/index-store';

/** The time of the anchor of a request's action, and the wallets for which the request is counted. */
export type Asked = { readonly atMs: number; readonly walletIds: readonly string[] };
type Window = { readonly orgId: string; readonly walletId: string; readonly timeframeMinutes: number; readonly atMs: number };

const SPANS_MS = [MINUTE_MS, HOUR_MS, DAY_MS] as const;
/** A window is divided into at least this many spans. The longest possible spans are used, so that few names are read. */
const SPANS_MIN = 4;

const nameOf = (orgId: string, walletId: string, spanMs: number, place: number): string =>
  `asked/${orgId}/${walletId}/${spanMs}/${place}`;

export function countAsked(index: Pick<Index, 'get' | 'put'>, orgId: string, { atMs, walletIds }: Asked): void {
  for (const walletId of walletIds)
    for (const spanMs of SPANS_MS) {
      const name = nameOf(orgId, walletId, spanMs, Math.floor(atMs / spanMs));
      index.put(name, (index.get<number>(name) ?? 0) + 1);
    }
}

/**
 * The greatest number of a wallet's signed requests in any window of this length that contains the moment `atMs`. Windows that
 * end later are included, because all requests of one window could otherwise be signed in reverse order. Only windows of whole
 * spans are counted, so the true number may be higher than the result, but never lower.
 */
export function mostAsked(index: Pick<Index, 'get'>, { orgId, walletId, timeframeMinutes, atMs }: Window, nowMs: number): number {
  const lengthMs = timeframeMinutes * MINUTE_MS;
  const spanMs = SPANS_MS.findLast((one) => lengthMs >= SPANS_MIN * one) ?? MINUTE_MS;
  const spans = Math.floor(lengthMs / spanMs);
  const place = Math.floor(atMs / spanMs);
  const last = Math.max(place, Math.min(place + spans - 1, Math.floor(nowMs / spanMs)));
  const countAt = (one: number) => index.get<number>(nameOf(orgId, walletId, spanMs, one)) ?? 0;
  const counts = Array.from({ length: last - place + spans }, (_one, back) => countAt(place - spans + 1 + back));
  let inWindow = counts.slice(0, spans).reduce((sum, count) => sum + count, 0);
  let most = inWindow;
  for (let end = spans; end < counts.length; end += 1) {
    inWindow += (counts[end] ?? 0) - (counts[end - spans] ?? 0);
    most = Math.max(most, inWindow);
  }
  return most;
}
