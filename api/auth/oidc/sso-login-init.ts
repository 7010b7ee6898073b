import { z } from 'zod';
import { beginSso } from '../../../application/login/sso';
import { publicOperation } from '../../http/operation';
import { SignInAddress, SignInRequest } from './schemas';

export const ssoLoginInit = publicOperation({
  id: 'ssoLoginInit',
  method: 'post',
  path: '/auth/login/sso/init',
  tag: 'auth',
  summary: "Begin a login at the organisation's identity provider",
  description:
    "Returns the address of the identity provider's page. When the provider redirects the user back, " +
    '`POST /auth/login/sso` completes the login, once and ' +
    'within 10 minutes. The call returns `Unauthorized` (401) if the organisation is unknown or has no provider, or if ' +
    '`clientId` is not the client of its provider. It returns `InvalidRequest` (400) if `redirectUri` is not on an allowed ' +
    'origin, and `IdentityProviderUnavailable` (503) if the provider cannot be reached.',
  params: z.object({}),
  query: z.object({}),
  body: SignInRequest,
  response: SignInAddress,
  handle: async ({ body }, services) => ({ ssoRedirectUrl: await beginSso(services, body, 'Sso') }),
});
