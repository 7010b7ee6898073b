import { z } from 'zod';
import { getPersonalAccessToken as get } from '../../../application/access-tokens/personal-access-tokens';
import { operation } from '../../http/operation';
import { PersonalAccessToken } from '../token-schemas';
import { TokenParams } from './schemas';

export const getPersonalAccessToken = operation({
  id: 'getPersonalAccessToken',
  method: 'get',
  path: '/auth/pats/:tokenId',
  tag: 'auth',
  summary: "Read one of the caller's own personal access tokens",
  description:
    'Returns the record of the token with its public key and its permissions, never the token itself. The call returns 404 ' +
    '`NotFound` if the token is archived or belongs to another user.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: TokenParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: PersonalAccessToken,
  handle: ({ params, authority }, services) => get(services, authority.caller, params.tokenId),
});
