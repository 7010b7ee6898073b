import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuseUnless } from '../wire/refusal';

/**
 * A restore or a command of the operator creates this file in the state folder. The file stays until the operator releases the
 * folder, after a comparison of the signing log with the rows and the chains.
 */
export const FREEZE_FILE = 'frozen';

export const isStateFrozen = (stateDir: string): boolean => existsSync(join(stateDir, FREEZE_FILE));

/**
 * Executes an order only while the state folder is not frozen (S5). Looks for the file at each order, because the operator
 * freezes running signers too. A signature that is under way is not revoked.
 */
export const unlessFrozen =
  <O, R>(stateDir: string, carryOut: (order: O) => Promise<R>): ((order: O) => Promise<R>) =>
  async (order) => {
    refuseUnless(!isStateFrozen(stateDir), 'Frozen');
    return carryOut(order);
  };
