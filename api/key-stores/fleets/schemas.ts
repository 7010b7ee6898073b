import { z } from 'zod';
import { FLEET_KINDS, FLEET_REASON_CHARS_MAX, FLEET_STATES, type FleetCurve } from '../../../domain/fleets';
import { NextPageToken } from '../../http/pagination';

const Id = z.string().min(1).max(64);

export const StoreParams = z.strictObject({ storeId: Id });
export const GroupParams = z.strictObject({ storeId: Id, groupId: Id });

export const Reason = z
  .string()
  .min(1)
  .max(FLEET_REASON_CHARS_MAX)
  .describe('For people to read: the group keeps the reason and returns it');

const FleetStatus = z.enum(FLEET_STATES);

const members = {
  groupId: z.string(),
  storeId: z.string(),
  orgId: z.string(),
  status: FleetStatus.describe(
    '`Initialized` until an output is accepted, then `InReview` until another person approves or rejects it',
  ),
  createdBy: z.string().describe('ID of the user who asked for the archive'),
  submittedBy: z.string().exactOptional().describe('ID of the user who submitted the accepted output'),
  reviewedBy: z
    .string()
    .exactOptional()
    .describe('ID of the reviewer; in the status `InReview`, the approval is on its way to the signer'),
  canceledBy: z.string().exactOptional().describe('Absent if the signer refused the group or its time was over'),
  dateCreated: z.iso.datetime(),
  dateSubmitted: z.iso.datetime().exactOptional(),
  dateReviewed: z.iso.datetime().exactOptional(),
  dateCanceled: z.iso.datetime().exactOptional(),
  reason: z.string().exactOptional().describe('Why the group was rejected or canceled'),
  operations: z.array(
    z.object({
      operationId: z.string().describe('The name of the operation in the `outputs` of the output'),
      kind: z.enum(FLEET_KINDS),
      status: FleetStatus,
      dateCreated: z.iso.datetime(),
    }),
  ),
};

export const FleetGroup = z.object(members).meta({ id: 'FleetGroup' });
export const FleetGroupPage = z.object({ items: z.array(FleetGroup), nextPageToken: NextPageToken });

const Member = z.object({
  serial: z.string(),
  fingerprint: z.string().describe('The first half of the digest of the card, in groups of four, to compare on paper'),
});

/** What the reviewer of a group compares with the paper of the ceremony. */
const FleetProposal = z
  .object({
    outputDigest: z.string().describe('SHA-256 of the submitted file in hex'),
    device: Member,
    manifest: z.object({
      digest: z.string().describe('SHA-256 of the manifest in hex, which `approveFleetOperation` repeats'),
      n: z.int().describe('The position in the chain of manifests, from 0'),
      threshold: z.int().describe('The number of provisioners who can recover the master secret'),
      devices: z.array(Member),
      provisioners: z.array(Member),
      operators: z.array(Member),
      numSecp256k1: z.int().describe('All keys of the fleet on this curve'),
      numEd25519: z.int().describe('All keys of the fleet on this curve'),
    }),
    newKeys: z.int().describe('The keys that the approval adds to the pool of the key store'),
  })
  .meta({ id: 'FleetProposal' });

const ControlProof = z
  .object({
    operationId: z.string(),
    walletId: z.string(),
    network: z.string(),
    address: z.string().describe('The address of `publicKey` on `network`'),
    curve: z.enum(['secp256k1', 'ed25519'] as const satisfies readonly FleetCurve[]),
    publicKey: z.string().describe('In hex; compressed (SEC 1) on secp256k1'),
    statement: z.string().describe('The signed text in UTF-8; ECDSA signs its SHA-256, and Ed25519 the text itself'),
    signature: z.string().describe('64 bytes in hex: r and s of ECDSA, or the signature of Ed25519'),
  })
  .meta({ id: 'ControlProof' });

export const FleetGroupDetails = z
  .object({
    ...members,
    endsAt: z.iso.datetime().describe('A group without an outcome is canceled at this time'),
    reviewersMissing: z
      .int()
      .exactOptional()
      .describe('The number of people who must still approve; present in the status `InReview`'),
    earlierReviews: z
      .array(z.object({ reviewedBy: z.string(), dateReviewed: z.iso.datetime() }))
      .exactOptional()
      .describe('The approvals before the last one, if the key store demands several reviewers'),
    hindrance: z.string().exactOptional().describe('Why the signer refused the last approval'),
    proposal: FleetProposal.exactOptional().describe('The content of the accepted output; absent before'),
    proofs: z
      .array(ControlProof)
      .exactOptional()
      .describe('The verified proofs of an approved group of the kind `ProofOfControl`; absent for every other group'),
  })
  .meta({ id: 'FleetGroupDetails' });
