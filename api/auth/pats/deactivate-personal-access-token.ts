import { z } from 'zod';
import { deactivatePersonalAccessToken as deactivate } from '../../../application/access-tokens/personal-access-tokens';
import { EmptyBody } from '../../../application/bodies/empty';
import { operation } from '../../http/operation';
import { PersonalAccessToken } from '../token-schemas';
import { TokenParams } from './schemas';

export const deactivatePersonalAccessToken = operation({
  id: 'deactivatePersonalAccessToken',
  method: 'put',
  path: '/auth/pats/:tokenId/deactivate',
  tag: 'auth',
  summary: "Deactivate one of the caller's own personal access tokens",
  description:
    'The token is refused with 401 `Unauthorized` from its next request on, until it is reactivated; its key, permissions and ' +
    'expiry stay. Repeating the call changes nothing. If the token is archived or belongs to another user, the call returns ' +
    '404 `NotFound`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: TokenParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: PersonalAccessToken,
  handle: ({ params, authority }, services) => deactivate(services, authority, params.tokenId),
});
