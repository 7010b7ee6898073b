import { z } from 'zod';

const PAYLOAD_BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 8;

/** The vendor decides which members are required. */
const Party = z.record(z.string(), z.unknown());

/** A value that is neither an object nor a list has the depth 0. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The schema limits the size and the nesting depth of the payload. */
export const TravelRulePayload = z
  .strictObject({
    kind: z.literal('TravelRuleVendor'),
    originator: Party.describe('The person or firm that pays, in the members that the vendor documents'),
    beneficiary: Party.describe('The person or firm that is paid, in the members that the vendor documents'),
    beneficiaryVASPdid: z
      .string()
      .min(1)
      .max(256)
      .exactOptional()
      .describe('The service that holds the beneficiary’s wallet; absent if the beneficiary holds it'),
    beneficiaryProof: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .describe('Proof that the beneficiary holds the wallet, in the form that the vendor documents'),
  })
  .refine((payload) => Buffer.byteLength(JSON.stringify(payload)) <= PAYLOAD_BYTES_MAX, {
    message: `must not be larger than ${PAYLOAD_BYTES_MAX} bytes of JSON`,
    abort: true,
  })
  .refine((payload) => depthOf(payload) <= DEPTH_MAX, `must not nest objects and lists deeper than ${DEPTH_MAX}`)
  .meta({
    id: 'TravelRulePayload',
    description: 'At most 16 KiB as JSON, with objects and lists nested at most 8 levels deep; events and approvals leave it out',
  });
