import type { RestoreLock } from '../../application/deployment/restore-lock';
import type { Operation } from './operation';

/**
 * The operations that stay open while the deployment is frozen, in addition to GET requests. People need GET requests to
 * reconcile the deployment, and GET requests need a session.
 */
export const WHILE_FROZEN: ReadonlySet<string> = new Set([
  'createLoginChallenge',
  'login',
  'sendLoginCode',
  'ssoLoginInit',
  'ssoLogin',
  'oidcLoginInit',
  'oidcLogin',
  'socialLogin',
  'logout',
]);

/** Throws `Frozen` for every operation that does not stay open (S5). */
export async function assertOpen({ method, id }: Pick<Operation, 'method' | 'id'>, freeze: RestoreLock): Promise<void> {
  if (method !== 'get' && !WHILE_FROZEN.has(id)) await freeze.assertThawed();
}
