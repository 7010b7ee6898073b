import type { Operation } from '../../http/operation';
import { createLoginChallenge } from './create-login-challenge';
import { delegatedLogin } from './delegated-login';
import { login } from './login';
import { logout } from './logout';
import { sendLoginCode } from './send-login-code';

export const loginOperations: readonly Operation[] = [createLoginChallenge, login, sendLoginCode, delegatedLogin, logout];
