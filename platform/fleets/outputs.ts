import { z } from 'zod';
import { FLEET_KEYS_MAX, FLEET_PROOFS_MAX, FLEET_SIGN_REQUESTS_MAX } from '../../domain/fleets';
import { digestOf } from '../canonical';
import { Card, Serial } from './cards';
import { ProvenKey } from './key-proofs';
import { SignedManifest } from './manifests';
import { BySigner, Digest, IdentityKey, OneBase64 } from './statement';

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const Text = z.string().max(256);
const Count = z.int().min(0).max(FLEET_KEYS_MAX);
const Index = z.int().min(0);

/** `ceremony_mode` of our devices, which have no hardware module. The other members are those of the published interface. */
export const CEREMONY_MODE = 'software';

/** `mac_…` is the operator's machine. `mac_se_wrap_key_pub_key` is the X25519 key of its card, in hex. */
export const REGISTRATIONS = {
  'genesis-registration': z.strictObject({
    type: z.literal('genesis-registration'),
    ceremony_mode: Text,
    hsm_serial: Serial,
    hsm_identity_key: IdentityKey,
    mac_serial: Serial,
    mac_se_wrap_key_pub_key: IdentityKey,
    /** The Ed25519 key of each provisioner by its serial number. */
    provisioners: z.record(Serial, IdentityKey),
    hsm_sealed: z.null().optional(),
    key_harvest: z.strictObject({
      'ed25519-start': Index,
      ed25519: Count,
      'secp256k1-start': Index,
      secp256k1: Count,
      error: z.null(),
    }),
  }),
  'clone-registration': z.strictObject({
    type: z.literal('clone-registration'),
    ceremony_mode: Text,
    hsm_target_serial: Serial,
    hsm_identity_key: IdentityKey,
    mac_target_serial: Serial,
    mac_se_wrap_key_pub_key: IdentityKey,
    hsm_sealed: z.null().optional(),
  }),
  'key-harvest': z.strictObject({
    type: z.literal('key-harvest'),
    hsm_target_serial: Serial,
    key_harvest: z.strictObject({
      'ed25519-start': Index,
      ed25519: Count,
      'secp256k1-start': Index,
      secp256k1: Count,
      error: z.null(),
    }),
  }),
  'add-provisioner': z.strictObject({
    type: z.literal('add-provisioner'),
    hsm_target_serial: Serial,
    provisioner_serial: Serial,
    provisioner_identity_key: IdentityKey,
  }),
  'add-mac-user': z.strictObject({
    type: z.literal('add-mac-user'),
    hsm_target_serial: Serial,
    mac_serial: Serial,
    mac_se_wrap_key_pub_key: IdentityKey,
  }),
} as const;

const Registration = z.discriminatedUnion('type', [
  REGISTRATIONS['genesis-registration'],
  REGISTRATIONS['clone-registration'],
  REGISTRATIONS['key-harvest'],
  REGISTRATIONS['add-provisioner'],
  REGISTRATIONS['add-mac-user'],
]);
export type Registration = z.infer<typeof Registration>;

/** `outputJson` of a ceremony, as the published client sends it. `outputs` is keyed by operation id. */
export const FleetOutputJson = z.strictObject({
  type: z.literal('fleet-output'),
  version: z.literal(1),
  status: z.literal('success'),
  org_id: Id,
  fleet_id: Id,
  fleet_label: z.string().min(1).max(64),
  keystore_id: Id,
  group_id: Id.optional(),
  online_domain: Text.optional(),
  outputs: z
    .record(Id, z.strictObject({ success: Registration }))
    .refine((outputs) => Object.keys(outputs).length === 1, { error: 'must have one operation' }),
});
export type FleetOutputJson = z.infer<typeof FleetOutputJson>;

const HexBytes = z
  .string()
  .max(2 * 1024 * 1024)
  .regex(/^(?:[0-9a-f]{2})*$/);
const SignatureHex = z.string().regex(/^[0-9a-f]{128,130}$/);
const Signed = z.strictObject({ signer_public_key: HexBytes, exact_bytes_signed: HexBytes, signature: SignatureHex });
const Failed = z.strictObject({ fail: z.strictObject({ message: z.string().max(1_024), code: z.string().max(64) }) });

/** `success` is keyed by the position of the message in the transaction: `0`, and further ones for further inputs. */
const OnchainSigned = z.strictObject({
  type: z.literal('onchain-sign-v1'),
  result: z.union([z.strictObject({ success: z.record(z.string().regex(/^(?:0|[1-9][0-9]{0,3})$/), Signed) }), Failed]),
});
const ProvenControl = z.strictObject({
  type: z.literal('proof-of-control-v1'),
  result: z.union([z.strictObject({ success: Signed.extend({ prefix: Text, message: z.string().max(1_024) }) }), Failed]),
});

/** `outputJson` of a group that uses keys, as the published client sends it. `outputs` is keyed by operation id. */
export const SignOutputJson = z.strictObject({
  type: z.literal('keystore-output'),
  version: z.literal(1),
  org_id: Id,
  fleet_id: Id,
  keystore_id: Id,
  group_id: Id,
  status: z.enum(['success', 'partial', 'fail']),
  outputs: z
    .record(Id, z.discriminatedUnion('type', [OnchainSigned, ProvenControl]))
    .refine((outputs) => Object.keys(outputs).length <= Math.max(FLEET_SIGN_REQUESTS_MAX, FLEET_PROOFS_MAX)),
});
export type SignOutputJson = z.infer<typeof SignOutputJson>;

/** A share of the master secret, encrypted to a provisioner (RFC 9180, base mode); the digest of the manifest is the AAD. */
export const ShareBox = z.strictObject({
  provisioner: IdentityKey,
  enc: IdentityKey,
  sealed: OneBase64.max(256),
  shareDigest: Digest,
});
export type ShareBox = z.infer<typeof ShareBox>;

/**
 * The file beside `outputJson`. The acting device signs the whole. `manifest` is the next manifest of a ceremony, and null for a
 * group that uses keys, because that group does not change the fleet.
 */
export const OutputFile = z.strictObject({
  type: z.literal('strongroom-fleet-output'),
  v: z.literal(1),
  groupId: Id,
  inputDigest: Digest,
  outputJsonDigest: Digest,
  device: Card,
  manifest: SignedManifest.nullable(),
  keys: z.array(ProvenKey).max(2 * FLEET_KEYS_MAX),
  boxes: z.array(ShareBox).max(16),
  dateMade: z.iso.datetime(),
});
export type OutputFile = z.infer<typeof OutputFile>;

export const SignedOutputFile = z.strictObject({ output: OutputFile, signed: BySigner });
export type SignedOutputFile = z.infer<typeof SignedOutputFile>;

/** Absent members of `outputJson` are left out, so the digest covers exactly the members that were sent. */
export const outputJsonDigest = (outputJson: FleetOutputJson | SignOutputJson): string => digestOf(outputJson as never);
