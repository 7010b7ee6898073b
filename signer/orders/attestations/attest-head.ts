import { z } from 'zod';
import type { HashChain } from '../../../domain/hash-chains';
import {
  ChainHash,
  ChainSequence,
  checkpointBytes,
  checkpointText,
  type SignedCheckpoint,
} from '../../../platform/chain-checkpoint';
import type { Attestor } from '../../record/attestor';
import { refuseUnless } from '../../wire/refusal';
import type { RefusalReason } from '../../wire/refusal-reasons';
import { Id } from '../../wire/schemas';

/** Requests a checkpoint of an organisation's feed or audit log. */
export const AttestHeadOrder = z.strictObject({ orgId: Id, sequence: ChainSequence, hash: ChainHash });
export type AttestHeadOrder = z.infer<typeof AttestHeadOrder>;

/** Bounds the memory. Beyond this number, the organisation with the oldest checkpoint is forgotten. */
const ORGANIZATIONS_MAX = 100_000;

const BACK = { feed: 'FeedGoesBack', audit: 'AuditLogGoesBack' } as const satisfies Record<HashChain, RefusalReason>;

type Head = Pick<AttestHeadOrder, 'sequence' | 'hash'>;
type Parts = { readonly attestor: Attestor; readonly signerId: string; readonly nowMs: () => number };

/**
 * Attests that the service has shown this head. The signer has not seen the items. Throws the `Refusal` of `BACK` if the position
 * is earlier than the last attested position, or if the hash at the same position differs. The journal does not record the
 * positions, because an entry for each minute and organisation would outgrow all other entries. So each start forgets the
 * positions.
 */
export function createHeadAttester(chain: HashChain, { attestor, signerId, nowMs }: Parts) {
  const heads = new Map<string, Head>();

  return async ({ orgId, sequence, hash }: AttestHeadOrder): Promise<SignedCheckpoint> => {
    const last = heads.get(orgId);
    const isLater = last === undefined || sequence > last.sequence;
    refuseUnless(isLater || (sequence === last.sequence && hash === last.hash), BACK[chain]);
    heads.delete(orgId); // so that the order of the map is the order of the checkpoints
    heads.set(orgId, { sequence, hash });
    const [oldest] = heads.keys();
    if (heads.size > ORGANIZATIONS_MAX && oldest !== undefined) heads.delete(oldest);
    const dateSigned = new Date(nowMs()).toISOString();
    const statement = checkpointText(chain, { v: 1, signerId, organizationId: orgId, sequence, hash, dateSigned });
    return { statement, signature: attestor.sign(checkpointBytes(chain, statement)) };
  };
}
