import { AppError } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import type { ReplacementKind } from '../../../domain/transfers';
import type { Tx } from '../../../entities/database';
import { laneCareStore } from '../../../entities/outgoing/lane-care.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { recordReplacement } from '../request-replacement';

type Lane = { readonly network: NetworkName; readonly address: string };

const FIRST_PAUSE_MS = 60_000;
const PAUSE_MAX_MS = 3_600_000;

/**
 * Repeats a stuck payment at a higher fee, never above the approved ceiling. Returns false if a replacement is under way, is
 * impossible, or was made too recently.
 */
export async function speedUpStuck(tx: Tx, lane: Lane, transferId: string): Promise<boolean> {
  const row = await outgoingStore.lockBehindRoot(tx, transferId);
  return attempt(tx, lane, row, 'SpeedUp', { root: row.claimsOf ?? row.id, nonce: null });
}

/**
 * Fills the nonce gap of a request that ended without using its nonce. The filler is a zero-value transaction to the wallet
 * itself, and policies judge the filler. Returns false in the same cases as `speedUpStuck`, and for a nonce that no request of
 * this service ever had.
 */
export async function fillMissing(tx: Tx, lane: Lane, nonce: number): Promise<boolean> {
  const leftBehind = await laneCareStore.leftBehind(tx, lane, nonce);
  if (leftBehind === undefined) return false;
  const row = await outgoingStore.lockBehindRoot(tx, leftBehind);
  return attempt(tx, lane, row, 'Cancel', { root: null, nonce });
}

/** The pause before the next attempt. The pause grows, because each attempt is a new request that policies judge. */
export const pauseAfterMs = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), PAUSE_MAX_MS);

type Shared = { readonly root: string | null; readonly nonce: number | null };

async function attempt(tx: Tx, lane: Lane, row: OutgoingEntity, kind: ReplacementKind, shared: Shared): Promise<boolean> {
  const { count, agoMs } = await laneCareStore.attempts(tx, lane, shared);
  if (agoMs < pauseAfterMs(count)) return false;
  // The service cannot be a requester, so the replacement has the requester and the user action of the stuck request.
  const { requesterUserId, requesterTokenId, userActionId } = row;
  try {
    await recordReplacement(tx, row, kind, { requesterUserId, requesterTokenId, userActionId, madeByService: true });
    return true;
  } catch (error) {
    if (error instanceof AppError && ['WrongState', 'NetworkNotEnabled'].includes(error.code)) return false;
    throw error;
  }
}
