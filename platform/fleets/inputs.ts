import { z } from 'zod';
import {
  FLEET_KEYS_MAX,
  FLEET_PROOFS_MAX,
  FLEET_SIGN_REQUESTS_MAX,
  type FleetKind,
  PROVISIONERS_MAX,
  PROVISIONERS_MIN,
} from '../../domain/fleets';
import { digestOf } from '../canonical';
import { Serial } from './cards';
import { ProvenKey } from './key-proofs';
import { BySigner, Digest } from './statement';
import { VOUCH_CHARS_MAX } from './vouches';

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const Count = z.int().min(0).max(FLEET_KEYS_MAX);
export const KeyCounts = z.strictObject({ secp256k1: Count, ed25519: Count });

/** A key of the store, as the approved groups have recorded the key. */
export const FleetKey = ProvenKey.pick({ curve: true, index: true, publicKey: true });
export type FleetKey = z.infer<typeof FleetKey>;

/** The signer's statement that it has judged the order and recorded the claims; `vouch` is the exact text that it signed. */
export const SignedVouch = z.strictObject({ vouch: z.string().max(VOUCH_CHARS_MAX), signed: BySigner });
export type SignedVouch = z.infer<typeof SignedVouch>;

/**
 * One request to sign. `order` is the signer's order as canonical JSON, with the intent, the bytes, and the evidence of what
 * people signed; the device reads the bytes with its own decoder.
 */
export const SignRequest = z.strictObject({
  operationId: Id,
  requestId: Id,
  op: z.string().regex(/^[A-Za-z]{1,32}$/),
  key: FleetKey,
  order: z.string().max(2 * 1024 * 1024),
  vouched: SignedVouch,
});
export type SignRequest = z.infer<typeof SignRequest>;

export const ProofRequest = z.strictObject({
  operationId: Id,
  walletId: Id,
  network: z.string().min(1).max(64),
  address: z.string().min(1).max(128),
  key: FleetKey,
  message: z.string().min(1).max(1_024),
});
export type ProofRequest = z.infer<typeof ProofRequest>;

const Ceremony = { operationId: Id } as const;

/** The part of an input that depends on the kind of the operation. */
export const FLEET_TASKS = {
  Genesis: z.strictObject({
    ...Ceremony,
    kind: z.literal('Genesis'),
    deviceSerial: Serial,
    provisioners: z.int().min(PROVISIONERS_MIN).max(PROVISIONERS_MAX),
    threshold: z.int().min(PROVISIONERS_MIN).max(PROVISIONERS_MAX),
    keys: KeyCounts,
  }),
  /** The target proves keys at the challenged indices, which shows that its master secret is the secret of the source. */
  Clone: z.strictObject({
    ...Ceremony,
    kind: z.literal('Clone'),
    deviceSerial: Serial,
    targetSerial: Serial,
    challenge: z.array(FleetKey).min(1).max(16),
  }),
  KeyHarvest: z.strictObject({
    ...Ceremony,
    kind: z.literal('KeyHarvest'),
    deviceSerial: Serial,
    operatorSerial: Serial,
    operatorName: z.string().min(1).max(64),
    keys: KeyCounts,
  }),
  AddProvisioner: z.strictObject({
    ...Ceremony,
    kind: z.literal('AddProvisioner'),
    deviceSerial: Serial,
    provisionerSerial: Serial,
  }),
  AddMacUser: z.strictObject({ ...Ceremony, kind: z.literal('AddMacUser'), deviceSerial: Serial, operatorSerial: Serial }),
  OnchainSign: z.strictObject({
    kind: z.literal('OnchainSign'),
    requests: z.array(SignRequest).min(1).max(FLEET_SIGN_REQUESTS_MAX),
  }),
  ProofOfControl: z.strictObject({
    kind: z.literal('ProofOfControl'),
    requests: z.array(ProofRequest).min(1).max(FLEET_PROOFS_MAX),
  }),
} as const satisfies Readonly<Record<FleetKind, z.ZodObject>>;

export const FleetTask = z.discriminatedUnion('kind', [
  FLEET_TASKS.Genesis,
  FLEET_TASKS.Clone,
  FLEET_TASKS.KeyHarvest,
  FLEET_TASKS.AddProvisioner,
  FLEET_TASKS.AddMacUser,
  FLEET_TASKS.OnchainSign,
  FLEET_TASKS.ProofOfControl,
]);
export type FleetTask = z.infer<typeof FleetTask>;

/**
 * What the service asks of a device. `manifest` is the digest of the manifest that the service has committed, null before the
 * genesis. A device leaves a pending manifest only if `abandons` contains its digest, so a rejected output cannot block the fleet.
 */
export const FleetInput = z.strictObject({
  type: z.literal('strongroom-fleet-input'),
  v: z.literal(1),
  signerId: Id,
  orgId: Id,
  storeId: Id,
  fleetId: Id,
  fleetLabel: z.string().min(1).max(64),
  groupId: Id,
  manifest: Digest.nullable(),
  abandons: z.array(Digest).max(64),
  dateIssued: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  task: FleetTask,
});
export type FleetInput = z.infer<typeof FleetInput>;

/** The archive that a caller downloads: one JSON document in canonical form. `signed.by` is the signer's identity key. */
export const SignedInput = z.strictObject({ input: FleetInput, signed: BySigner });
export type SignedInput = z.infer<typeof SignedInput>;

export const inputDigest = (input: FleetInput): string => digestOf(input as never);
