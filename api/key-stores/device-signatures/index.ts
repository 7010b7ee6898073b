import type { Operation } from '../../http/operation';
import { createOnchainSignInput } from './create-onchain-sign-input';
import { submitOnchainSignOutput } from './submit-onchain-sign-output';

export const deviceSignatureOperations: readonly Operation[] = [createOnchainSignInput, submitOnchainSignOutput];
