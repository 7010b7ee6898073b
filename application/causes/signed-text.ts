import type { z } from 'zod';
import { canonical } from '../../platform/canonical';
import { parseStrictJson } from '../../platform/strict-json';
import { proven } from './refused';

/** Parses a signed text as its operation does. Throws `UnprovenRequest` for a text that the operation would refuse. */
export function readText<T>(schema: z.ZodType<T>, text: string): T {
  const json = parseStrictJson(Buffer.from(text === '' ? '{}' : text, 'utf8'));
  const read = json.ok ? schema.safeParse(json.value) : undefined;
  proven(read?.success, 'BodyUnreadable');
  return read.data;
}

/** Whether two values are the same JSON. Members that JSON omits and the order of the members make no difference. */
export const isSameJson = (one: unknown, other: unknown): boolean => plain(one) === plain(other);

const plain = (value: unknown): string => canonical(JSON.parse(JSON.stringify(value ?? null)));

/**
 * Whether a row contains the signed request. The same schema parses the signed and the stored request, and fills in default
 * values. So an omitted member equals a member with the default value. The release that wrote the row therefore makes no
 * difference.
 */
export function isSameRequest<T>(schema: z.ZodType<T>, signed: T, kept: unknown): boolean {
  const read = schema.safeParse(kept);
  return read.success && isSameJson(signed, read.data);
}
