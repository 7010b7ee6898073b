import { z } from 'zod';
import { KEY_CURVES } from '../../domain/keys';
import { EvidenceList } from '../record/evidence';
import { Id, Moment, PublicKey } from '../wire/schemas';

/** The key itself, as the service's row has it: the journal may not know the id, and another id may hold the same key. */
const publicKey = z.strictObject({ curve: z.enum(KEY_CURVES), publicKeyHex: PublicKey }).exactOptional();

/** A wallet is a key on a network: the signer knows no other name of it. */
export const FrozenTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Organization') }),
  z.strictObject({ kind: z.literal('Wallet'), keyId: Id, publicKey, network: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal('Key'), keyId: Id, publicKey }),
  z.strictObject({ kind: z.literal('Network'), network: z.string().min(1).max(64) }),
]);
export type FrozenTarget = z.infer<typeof FrozenTarget>;

const OfFreeze = { orgId: Id, freezeId: Id, ...Moment };
/** Has the signer refuse what uses the target, until a release of the same `freezeId` with the evidence of who asked and who approved. Without evidence it is the service's own: to stand still takes nobody's leave. */
export const SetFreezeOrder = z.strictObject({ ...OfFreeze, evidence: EvidenceList, target: FrozenTarget });
export type SetFreezeOrder = z.infer<typeof SetFreezeOrder>;
export const ReleaseFreezeOrder = z.strictObject({ ...OfFreeze, evidence: EvidenceList.min(1) });
export type ReleaseFreezeOrder = z.infer<typeof ReleaseFreezeOrder>;
export const FreezeStanding = z.strictObject({ standing: z.boolean() });
export type FreezeStanding = z.infer<typeof FreezeStanding>;
