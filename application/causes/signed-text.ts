import type { z } from 'zod';
import { canonical } from '../../platform/canonical';
import { parseStrictJson } from '../../platform/strict-json';
import { proven } from './refused';

/** Parses a signed text as its operation does. Throws `UnprovenRequest` for one that the operation would refuse. */
export function readText<T>(schema: z.ZodType<T>, text: string): T {
  const json = parseStrictJson(Buffer.from(text === '' ? '{}' : text, 'utf8'));
  const read = json.ok ? schema.safeParse(json.value) : undefined;
  proven(read?.success, 'BodyUnreadable');
  return read.data;
}

/** Values that came from JSON, without the members that JSON omits; the order of members means nothing. */
export const isSameJson = (one: unknown, other: unknown): boolean => plain(one) === plain(other);

const plain = (value: unknown): string => canonical(JSON.parse(JSON.stringify(value ?? null)));

/**
 * Whether a row contains the request that was signed. Both are parsed by the same schema, so that a default counts the same whether written
 * or omitted, regardless of which release wrote the row.
 */
export function isSameRequest<T>(schema: z.ZodType<T>, signed: T, kept: unknown): boolean {
  const read = schema.safeParse(kept);
  return read.success && isSameJson(signed, read.data);
}
