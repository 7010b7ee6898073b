import { z } from 'zod';
import { END_USER_NETWORKS } from '../../domain/charters';
import { AppError } from '../../domain/errors';
import { fingerprintOf } from '../../platform/fingerprint';

const Policy = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int(),
  activityKind: z.string(),
  rule: z.record(z.string(), z.unknown()),
  action: z.record(z.string(), z.unknown()),
  filters: z.record(z.string(), z.unknown()).nullable(),
  mode: z.string(),
});

const Credential = z
  .object({ id: z.string(), kind: z.string(), publicKey: z.string(), operations: z.array(z.string()) })
  .transform(({ publicKey, ...credential }) => ({ ...credential, fingerprint: fingerprintOf(publicKey) }));

/** The members that the service shows. Charters from a newer signer might contain additional members. */
const CharterText = z.object({
  signerId: z.string(),
  members: z.array(
    z.object({
      userId: z.string(),
      hand: z.string(),
      isServiceAccount: z.boolean(),
      credentials: z.array(Credential),
    }),
  ),
  wallets: z.array(z.object({ id: z.string() })),
  feeSponsors: z.array(z.object({ id: z.string(), walletId: z.string() })),
  policies: z.array(Policy),
  changePolicies: z.array(Policy),
  seen: z.object({ operations: z.array(z.string()), origins: z.array(z.string()) }).optional(),
  mainnets: z.array(z.string()).optional(),
  exports: z.object({ waitHours: z.int(), policies: z.array(Policy) }).optional(),
  endUsers: z.object({ networks: z.enum(END_USER_NETWORKS) }).optional(),
  limits: z.array(z.object({ walletId: z.string(), asset: z.string(), hours: z.int(), unitsMax: z.string() })),
});
export type CharterText = z.infer<typeof CharterText>;

/** Throws `NotReady` for a text that this release cannot read. */
export function readCharterText(text: string): CharterText {
  try {
    return CharterText.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('NotReady', 'The charter that the signer reported cannot be read by this release', {}, error);
  }
}
