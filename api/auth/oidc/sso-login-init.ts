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
  params: z.object({}),
  query: z.object({}),
  body: SignInRequest,
  response: SignInAddress,
  handle: async ({ body }, services) => ({ ssoRedirectUrl: await beginSso(services, body, 'Sso') }),
});
