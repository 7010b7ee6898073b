import type { Operation } from '../../http/operation';
import { socialLogin } from './social-login';
import { ssoLogin } from './sso-login';
import { ssoLoginInit } from './sso-login-init';

export const oidcOperations: readonly Operation[] = [ssoLoginInit, ssoLogin, socialLogin];
