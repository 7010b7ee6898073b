import type { Operation } from '../../http/operation';
import { createSocialRegistrationChallenge } from './create-social-registration-challenge';
import { oidcLogin } from './oidc-login';
import { oidcLoginInit } from './oidc-login-init';
import { socialLogin } from './social-login';
import { ssoLogin } from './sso-login';
import { ssoLoginInit } from './sso-login-init';

export const oidcOperations: readonly Operation[] = [
  ssoLoginInit,
  ssoLogin,
  oidcLoginInit,
  oidcLogin,
  socialLogin,
  createSocialRegistrationChallenge,
];
