import { z } from 'zod';
import { activatePersonalAccessToken as activate } from '../../../application/access-tokens/personal-access-tokens';
import { EmptyBody } from '../../../application/bodies/empty';
import { operation } from '../../http/operation';
import { PersonalAccessToken } from '../token-schemas';
import { TokenParams } from './schemas';

export const activatePersonalAccessToken = operation({
  id: 'activatePersonalAccessToken',
  method: 'put',
  path: '/auth/pats/:tokenId/activate',
  tag: 'auth',
  summary: "Reactivate one of the caller's own personal access tokens",
  description:
    'The token can be used again from the next request on; a token that is already active stays active. The call returns 409 ' +
    '`WrongState` if the token has expired. If the token is archived or belongs to another user, the call returns 404 ' +
    '`NotFound`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: TokenParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: PersonalAccessToken,
  handle: ({ params, authority }, services) => activate(services, authority, params.tokenId),
});
