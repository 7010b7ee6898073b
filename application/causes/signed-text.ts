import type { z } from 'zod';
import { canonical } from '../../platform/canonical';
import { parseStrictJson } from '../../platform/strict-json';
import { proven } from './refused';

/** Throws `UnprovenRequest` for a text that the operation would refuse. */
export function readText<T>(schema: z.ZodType<T>, text: string): T {
  const json = parseStrictJson(Buffer.from(text === '' ? '{}' : text, 'utf8'));
  const read = json.ok ? schema.safeParse(json.value) : undefined;
  proven(read?.success, 'BodyUnreadable');
  return read.data;
}

/** Ignores the order of members, and members that JSON omits. */
export const isSameJson = (one: unknown, other: unknown): boolean => plain(one) === plain(other);

const plain = (value: unknown): string => canonical(JSON.parse(JSON.stringify(value ?? null)));

/**
 * The same schema parses the signed and the stored request. An omitted member therefore equals its default value, whichever
 * release wrote the row.
 */
export function isSameRequest<T>(schema: z.ZodType<T>, signed: T, kept: unknown): boolean {
  const read = schema.safeParse(kept);
  return read.success && isSameJson(signed, read.data);
}
