import { z } from 'zod';
import type { CauseId } from '../../../domain/causes';
import { SIGNED_BODY_BYTES_MAX } from '../../../domain/charters';
import { parseStrictJson } from '../../../platform/strict-json';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { inBytes, Units } from '../../wire/schemas';

/** A request that a person signed: its operation and the exact text of its body. */
export type SignedRequest = { readonly cause: CauseId; readonly body: string };

/** The priority does not change the signed content, so only the form of the priority is checked. */
export const FreePriority = z.enum(['Slow', 'Standard', 'Fast']).optional();
export const RequestExternalId = z.string().min(1).max(50).optional();
export const SponsorId = z.string().min(1).max(50);
/** An amount of 0 to the sender would be a cancellation, which the body of a transfer never requests. */
export const PositiveUnits = Units.refine((units) => units !== '0');
export const WrittenAddress = z.string().min(1).max(128);
/** The members of every transfer. The travel rule's data is checked only for its form. */
export const WRITTEN_TRANSFER = {
  to: WrittenAddress,
  priority: FreePriority,
  externalId: RequestExternalId,
  travelRule: z.record(z.string(), z.unknown()).optional(),
};

/** Throws a `Refusal` unless the body of the request and the order agree. */
export function assertAsked(condition: boolean): asserts condition {
  refuseUnless(condition, 'RequestMismatch');
}

/** Throws a `Refusal` unless the text is a body of this schema in which no member appears twice. */
export function readSignedBody<T>(schema: z.ZodType<T>, { body }: Pick<SignedRequest, 'body'>): T {
  assertAsked(inBytes(SIGNED_BODY_BYTES_MAX)(body));
  const json = parseStrictJson(Buffer.from(body, 'utf8'));
  const read = json.ok ? schema.safeParse(json.value) : undefined;
  if (!read?.success) throw new Refusal('RequestMismatch');
  return read.data;
}

type Form = 'transfer' | 'transaction' | 'signature';

/**
 * The order must name its intent by the external id of the body. If the body has no external id, the order must not name an
 * intent.
 */
export function assertIntentId(intentId: string | undefined, form: Form, externalId: string | undefined): void {
  assertAsked(intentId === (externalId === undefined ? undefined : `${form}:${externalId}`));
}
