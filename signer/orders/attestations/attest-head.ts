import { z } from 'zod';
import {
  checkpointBytes,
  type FeedCheckpoint,
  FeedHash,
  FeedSequence,
  type SignedCheckpoint,
} from '../../../platform/chain-checkpoint';
import type { Attestor } from '../../record/attestor';
import { refuseUnless } from '../../wire/refusal';
import { Id } from '../../wire/schemas';

/** Asks for a checkpoint of an organisation's feed. */
export const AttestFeedOrder = z.strictObject({ orgId: Id, sequence: FeedSequence, hash: FeedHash });
export type AttestFeedOrder = z.infer<typeof AttestFeedOrder>;

/** Bounds the memory. Above this number the organisation whose checkpoint is the oldest is forgotten. */
const ORGANIZATIONS_MAX = 100_000;

type Head = Pick<AttestFeedOrder, 'sequence' | 'hash'>;
type Parts = { readonly attestor: Attestor; readonly signerId: string; readonly nowMs: () => number };

/**
 * Attests that the service has shown this head. The signer has not seen the events. Throws the `Refusal` `FeedGoesBack` for an
 * earlier position than before, or for another hash at the same position. The journal does not record the positions, because one
 * entry a minute and organisation would outgrow all other entries; so a new start forgets them.
 */
export function createFeedAttester({ attestor, signerId, nowMs }: Parts) {
  const heads = new Map<string, Head>();

  return async ({ orgId, sequence, hash }: AttestFeedOrder): Promise<SignedCheckpoint> => {
    const last = heads.get(orgId);
    const isLater = last === undefined || sequence > last.sequence;
    refuseUnless(isLater || (sequence === last.sequence && hash === last.hash), 'FeedGoesBack');
    heads.delete(orgId); // so that the order of the map is the order of the checkpoints
    heads.set(orgId, { sequence, hash });
    const [oldest] = heads.keys();
    if (heads.size > ORGANIZATIONS_MAX && oldest !== undefined) heads.delete(oldest);
    const dateSigned = new Date(nowMs()).toISOString();
    const checkpoint: FeedCheckpoint = { v: 1, signerId, organizationId: orgId, sequence, hash, dateSigned };
    const statement = JSON.stringify(checkpoint);
    return { statement, signature: attestor.sign(checkpointBytes(statement)) };
  };
}
