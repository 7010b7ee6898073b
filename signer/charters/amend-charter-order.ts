import { z } from 'zod';
import type { AmendmentKind } from '../../domain/amendments';
import { EvidenceList } from '../record/evidence';
import { hex, Id } from '../wire/schemas';

const GroupIds = z.array(z.string().min(1).max(64)).max(100);
const Version = z.int().positive();

/**
 * The values that the service chose because the signed request does not contain them. `changeRequestId` names the change request
 * that people approved; absent if the change needed no approval.
 */
const FORMS = {
  /** `network` is present only for a wallet of an end user: the request that began a registration does not specify a network. */
  createWallet: z.strictObject({
    kind: z.literal('createWallet'),
    walletId: Id,
    keyId: Id,
    network: z.string().min(1).max(64).exactOptional(),
  }),
  tagWallet: z.strictObject({ kind: z.literal('tagWallet') }),
  untagWallet: z.strictObject({ kind: z.literal('untagWallet') }),
  createPolicy: z.strictObject({ kind: z.literal('createPolicy'), policyId: Id, version: Version, groupIds: GroupIds }),
  updatePolicy: z.strictObject({
    kind: z.literal('updatePolicy'),
    version: Version,
    groupIds: GroupIds,
    changeRequestId: Id.optional(),
  }),
  archivePolicy: z.strictObject({ kind: z.literal('archivePolicy'), changeRequestId: Id.optional() }),
  deactivateUser: z.strictObject({ kind: z.literal('deactivateUser') }),
  archiveUser: z.strictObject({ kind: z.literal('archiveUser') }),
  deactivateServiceAccount: z.strictObject({ kind: z.literal('deactivateServiceAccount') }),
  archiveServiceAccount: z.strictObject({ kind: z.literal('archiveServiceAccount') }),
  deactivatePersonalAccessToken: z.strictObject({ kind: z.literal('deactivatePersonalAccessToken') }),
  archivePersonalAccessToken: z.strictObject({ kind: z.literal('archivePersonalAccessToken') }),
  deactivateCredential: z.strictObject({ kind: z.literal('deactivateCredential') }),
  deleteCredential: z.strictObject({ kind: z.literal('deleteCredential') }),
} as const satisfies Readonly<Record<AmendmentKind, z.ZodType>>;
export type Amendment<K extends AmendmentKind = AmendmentKind> = z.infer<(typeof FORMS)[K]>;

/**
 * Asks the signer to apply a signed change of the charter. `amendmentId` identifies the change, so a repeated order gets the same
 * reply. The groups of a policy get the ids of `groupIds` in order.
 */
export const AmendCharterOrder = z.strictObject({
  orgId: Id,
  amendmentId: Id,
  amendment: z.discriminatedUnion(
    'kind',
    Object.values(FORMS) as [(typeof FORMS)['createWallet'], ...(typeof FORMS)[AmendmentKind][]],
  ),
  evidence: EvidenceList.min(1),
});
export type AmendCharterOrder = z.infer<typeof AmendCharterOrder>;

/** The charter that is in force after the amendment. */
export const CharterHead = z.strictObject({ sequence: z.int().positive(), digest: hex(32) });
export type CharterHead = z.infer<typeof CharterHead>;
