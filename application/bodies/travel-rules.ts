import { z } from 'zod';

const PAYLOAD_BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 8;

/** Who a person or firm is, in the members that the vendor documents; which of them it needs is the vendor's to say. */
const Party = z.record(z.string(), z.unknown());

/** How deep objects and lists lie in one another; a plain value has none. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** What is told of the people behind a transfer (contract: `TravelRulePayload`). Its size and depth are bounded; strings are free. */
export const TravelRulePayload = z
  .strictObject({
    kind: z.literal('TravelRuleVendor'),
    originator: Party,
    beneficiary: Party,
    beneficiaryVASPdid: z
      .string()
      .min(1)
      .max(256)
      .exactOptional()
      .describe('The service that holds the beneficiary’s wallet; absent where they hold it themselves'),
    beneficiaryProof: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .describe('That the beneficiary holds the wallet, as the vendor documents it'),
  })
  .refine((payload) => Buffer.byteLength(JSON.stringify(payload)) <= PAYLOAD_BYTES_MAX, {
    message: `must not be larger than ${PAYLOAD_BYTES_MAX} bytes of JSON`,
    abort: true,
  })
  .refine((payload) => depthOf(payload) <= DEPTH_MAX, `must not nest objects and lists deeper than ${DEPTH_MAX}`)
  .meta({ id: 'TravelRulePayload' });
