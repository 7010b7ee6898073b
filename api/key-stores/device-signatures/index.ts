import type { Operation } from '../../http/operation';
import { createOnchainSignInput } from './create-onchain-sign-input';
import { createProofOfControlInput } from './create-proof-of-control-input';
import { submitOnchainSignOutput } from './submit-onchain-sign-output';
import { submitProofOfControlOutput } from './submit-proof-of-control-output';

export const deviceSignatureOperations: readonly Operation[] = [
  createOnchainSignInput,
  submitOnchainSignOutput,
  createProofOfControlInput,
  submitProofOfControlOutput,
];
