import type { Operation } from './operation';

/** 22 November 2026, the date of the deprecation, in Unix seconds. */
const DEPRECATED_SINCE_S = 1_795_305_600;

/**
 * Returns the `Deprecation` header (RFC 9745) if the operation is deprecated or if the body has a member that no longer has an
 * effect.
 */
export function deprecationOf({ deprecated, unusedMembers }: Operation, body: unknown): Readonly<Record<string, string>> {
  const isUsed = (member: string) => typeof body === 'object' && body !== null && Object.hasOwn(body, member);
  return deprecated || unusedMembers?.some(isUsed) ? { deprecation: `@${DEPRECATED_SINCE_S}` } : {};
}
