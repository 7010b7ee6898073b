import type { Operation } from './operation';

/** 22 November 2026, since when the service says so, in seconds since 1970. */
const DEPRECATED_SINCE_S = 1_795_305_600;

/** The `Deprecation` header (RFC 9745) of a deprecated operation, and of a body with a member that has no effect any more. */
export function deprecationOf({ deprecated, unusedMembers }: Operation, body: unknown): Readonly<Record<string, string>> {
  const isUsed = (member: string) => typeof body === 'object' && body !== null && Object.hasOwn(body, member);
  return deprecated || unusedMembers?.some(isUsed) ? { deprecation: `@${DEPRECATED_SINCE_S}` } : {};
}
