import { z } from 'zod';
import { KEY_CURVES } from '../../domain/keys';
import { EvidenceList } from '../record/evidence';
import { Id, Moment, PublicKey } from '../wire/schemas';

/**
 * The public key in the service's row. With this public key the signer finds the key and its other ids, even if the journal does
 * not know `keyId`.
 */
const publicKey = z.strictObject({ curve: z.enum(KEY_CURVES), publicKeyHex: PublicKey }).exactOptional();

/** A wallet is identified by its key and network, because the signer does not know the ids of wallets. */
export const FrozenTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Organization') }),
  z.strictObject({ kind: z.literal('Wallet'), keyId: Id, publicKey, network: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal('Key'), keyId: Id, publicKey }),
  z.strictObject({ kind: z.literal('Network'), network: z.string().min(1).max(64) }),
]);
export type FrozenTarget = z.infer<typeof FrozenTarget>;

const OfFreeze = { orgId: Id, freezeId: Id, ...Moment };
/**
 * The signer refuses signatures, exports and shared secrets for the target, until a release of the same `freezeId` arrives. The
 * evidence of a release is the release request and its approvals. A freeze needs no evidence, because stopping needs no
 * authorisation.
 */
export const SetFreezeOrder = z.strictObject({ ...OfFreeze, evidence: EvidenceList, target: FrozenTarget });
export type SetFreezeOrder = z.infer<typeof SetFreezeOrder>;
export const ReleaseFreezeOrder = z.strictObject({ ...OfFreeze, evidence: EvidenceList.min(1) });
export type ReleaseFreezeOrder = z.infer<typeof ReleaseFreezeOrder>;
export const FreezeStanding = z.strictObject({ standing: z.boolean() });
export type FreezeStanding = z.infer<typeof FreezeStanding>;
