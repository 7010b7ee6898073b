import { z } from 'zod';
import { Card } from '../../platform/fleets/cards';
import { SignedManifest } from '../../platform/fleets/manifests';
import { Digest, IdentityKey } from '../../platform/fleets/statement';

export const SHARES_MAX = 8;

const Secret32 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The texts that the last operation wrote, by file name. The same input writes the same texts again, so a loss of power does not
 * lose an output.
 */
const LastOutput = z.strictObject({ inputDigest: Digest, files: z.record(z.string(), z.string()) });

/** A share of the master secret. `dividedAt` is the digest of the manifest with which the secret was divided. */
const HeldShare = z.strictObject({ dividedAt: Digest, share: z.string().regex(/^[0-9a-f]{66}$/) });
export type HeldShare = z.infer<typeof HeldShare>;

/** SHA-256 of a file beside the state; null if people have trusted no such file. */
const FileDigest = Digest.nullable();
const NO_FILES = { 'rules.json': null, 'charter.json': null } as const;

/** The whole state of a device, a provisioner or an operator's machine. Each role leaves empty what it does not need. */
export const State = z.strictObject({
  v: z.literal(1),
  card: Card,
  signingSecret: Secret32,
  sealingSecret: Secret32,
  /** The signer's identity key, which people compared with paper. */
  signerKey: IdentityKey.nullable(),
  master: Secret32.nullable(),
  committed: SignedManifest.nullable(),
  /** A manifest that the service has not confirmed yet. */
  pending: SignedManifest.nullable(),
  last: LastOutput.nullable(),
  /** Oldest first. An older share counts until the service has approved a newer division, so no share is dropped on its own. */
  shares: z.array(HeldShare).max(SHARES_MAX),
  /** The ids of the operations that this device has done. */
  done: z.array(z.string()),
  /** The newest date that the device has seen in a signed input. */
  newestDate: z.iso.datetime().nullable(),
  /** The number of claims, and the digest of the last line of their log. */
  claims: z.strictObject({ count: z.int().min(0), head: Digest }),
  /** The files by which this device signs. They are not sealed themselves, so a thief who writes to the folder could exchange them. */
  trusted: z.strictObject({ 'rules.json': FileDigest, 'charter.json': FileDigest }).default(NO_FILES),
});
export type State = z.infer<typeof State>;
