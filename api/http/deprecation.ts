import type { Operation } from './operation';

/** 22 November 2026, in Unix seconds. */
const DEPRECATED_SINCE_S = 1_795_305_600;

/** The `Deprecation` header (RFC 9745) for a deprecated operation, or for a body with a member that no longer has an effect. */
export function deprecationOf({ deprecated, unusedMembers }: Operation, body: unknown): Readonly<Record<string, string>> {
  const isUsed = (member: string) => typeof body === 'object' && body !== null && Object.hasOwn(body, member);
  return deprecated || unusedMembers?.some(isUsed) ? { deprecation: `@${DEPRECATED_SINCE_S}` } : {};
}
