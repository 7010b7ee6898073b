import { z } from 'zod';
import { beginSso } from '../../../application/login/sso';
import { publicOperation } from '../../http/operation';
import { SignInAddress, SignInRequest } from './schemas';

export const oidcLoginInit = publicOperation({
  id: 'oidcLoginInit',
  method: 'post',
  path: '/auth/login/oidc/init',
  tag: 'auth',
  summary: "Begin a login at the organisation's identity provider, or the registration of a user without a credential",
  params: z.object({}),
  query: z.object({}),
  body: SignInRequest,
  response: SignInAddress,
  handle: async ({ body }, services) => ({ ssoRedirectUrl: await beginSso(services, body, 'Oidc') }),
});
