import type { Operation } from '../../http/operation';
import { activateCredential } from './activate-credential';
import { createCredential } from './create-credential';
import { createCredentialChallenge } from './create-credential-challenge';
import { createCredentialChallengeWithCode } from './create-credential-challenge-with-code';
import { createCredentialCode } from './create-credential-code';
import { createCredentialWithCode } from './create-credential-with-code';
import { deactivateCredential } from './deactivate-credential';
import { deleteCredential } from './delete-credential';
import { listCredentials } from './list-credentials';

export const credentialOperations: readonly Operation[] = [
  createCredentialChallenge,
  createCredential,
  createCredentialCode,
  createCredentialChallengeWithCode,
  createCredentialWithCode,
  listCredentials,
  activateCredential,
  deactivateCredential,
  deleteCredential,
];
