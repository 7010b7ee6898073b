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
    'The token is refused with 401 `Unauthorized` from its next request on, until it is reactivated; its key, ' +
    'permissions and expiry stay. A repetition changes nothing. An archived token and a token of another user cause 404 ' +
    '`NotFound`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: TokenParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: PersonalAccessToken,
  handle: ({ params, authority }, services) => deactivate(services, authority, params.tokenId),
});
