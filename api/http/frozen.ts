import type { RestoreLock } from '../../application/deployment/restore-lock';
import type { Operation } from './operation';

/**
 * In addition to GET requests, these operations stay open while the deployment is frozen. People reconcile the deployment by
 * GET requests, which need a session.
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

/** Throws `Frozen` while the deployment is frozen, unless the operation stays open (S5). */
export async function assertOpen({ method, id }: Pick<Operation, 'method' | 'id'>, freeze: RestoreLock): Promise<void> {
  if (method !== 'get' && !WHILE_FROZEN.has(id)) await freeze.assertThawed();
}
