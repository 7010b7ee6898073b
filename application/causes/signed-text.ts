import type { z } from 'zod';
import { canonical } from '../../platform/canonical';
import { parseStrictJson } from '../../platform/strict-json';
import { proven } from './refused';

/** A signed text as its operation reads it. Throws `UnprovenRequest` for one that the operation would refuse. */
export function readText<T>(schema: z.ZodType<T>, text: string): T {
  const json = parseStrictJson(Buffer.from(text === '' ? '{}' : text, 'utf8'));
  const read = json.ok ? schema.safeParse(json.value) : undefined;
  proven(read?.success, 'BodyUnreadable');
  return read.data;
}

/** Values that were JSON once, without what JSON leaves out; the order of members says nothing. */
export const isSameJson = (one: unknown, other: unknown): boolean => plain(one) === plain(other);

const plain = (value: unknown): string => canonical(JSON.parse(JSON.stringify(value ?? null)));

/**
 * Whether a row keeps the request that was signed. Both are read by the same schema, so that a default counts for the same whether
 * it was written or left out, and whichever release wrote the row.
 */
export function isSameRequest<T>(schema: z.ZodType<T>, signed: T, kept: unknown): boolean {
  const read = schema.safeParse(kept);
  return read.success && isSameJson(signed, read.data);
}
