import { z } from 'zod';
import { updatePersonalAccessToken as update } from '../../../application/access-tokens/personal-access-tokens';
import { operation } from '../../http/operation';
import { PersonalAccessToken } from '../token-schemas';
import { TokenParams, UpdatePersonalAccessTokenBody } from './schemas';

export const updatePersonalAccessToken = operation({
  id: 'updatePersonalAccessToken',
  method: 'put',
  path: '/auth/pats/:tokenId',
  tag: 'auth',
  summary: "Change the name or external ID of one of the caller's own personal access tokens",
  description:
    'Omitted members stay unchanged; the token itself, its key, its permissions and its expiry cannot be changed. The call ' +
    'returns 409 `Conflict` if another unarchived token of the caller has the `name`, or if any other token of the ' +
    'organisation, even an archived one, has the `externalId`. It returns 404 `NotFound` if the token is archived or belongs ' +
    'to another user.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: TokenParams,
  query: z.strictObject({}),
  body: UpdatePersonalAccessTokenBody,
  response: PersonalAccessToken,
  handle: ({ params, body, authority }, services) => update(services, authority, params.tokenId, body),
});
