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
    'Returns the page of the identity provider; `POST /auth/login/sso` completes the redirect of this page once, within ' +
    '10 minutes. An unknown organisation, an organisation without a provider and a `clientId` other than that of its ' +
    'provider return `Unauthorized` (401). A `redirectUri` that is not on an allowed origin returns `InvalidRequest` ' +
    '(400), and a provider that cannot be reached returns `IdentityProviderUnavailable` (503).',
  params: z.object({}),
  query: z.object({}),
  body: SignInRequest,
  response: SignInAddress,
  handle: async ({ body }, services) => ({ ssoRedirectUrl: await beginSso(services, body, 'Sso') }),
});
