import type { Operation } from '../../http/operation';
import { createUserActionChallenge } from './create-user-action-challenge';
import { createUserActionSignature } from './create-user-action-signature';

export const userActionOperations: readonly Operation[] = [createUserActionChallenge, createUserActionSignature];
