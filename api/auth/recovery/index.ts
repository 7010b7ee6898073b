import type { Operation } from '../../http/operation';
import { createDelegatedRecoveryChallenge } from './create-delegated-recovery-challenge';
import { createRecoveryChallenge } from './create-recovery-challenge';
import { listRecoveries } from './list-recoveries';
import { recover } from './recover';
import { sendRecoveryCode } from './send-recovery-code';
import { stopRecovery } from './stop-recovery';

export const recoveryOperations: readonly Operation[] = [
  sendRecoveryCode,
  createRecoveryChallenge,
  createDelegatedRecoveryChallenge,
  recover,
  listRecoveries,
  stopRecovery,
];
