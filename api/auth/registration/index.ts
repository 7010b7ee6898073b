import type { Operation } from '../../http/operation';
import { createDelegatedRegistrationChallenge } from './create-delegated-registration-challenge';
import { createRegistrationChallenge } from './create-registration-challenge';
import { register } from './register';
import { registerEndUser } from './register-end-user';
import { resendRegistrationCode } from './resend-registration-code';

export const registrationOperations: readonly Operation[] = [
  createRegistrationChallenge,
  register,
  resendRegistrationCode,
  createDelegatedRegistrationChallenge,
  registerEndUser,
];
