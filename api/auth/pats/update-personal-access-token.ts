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
    'Omitted members stay unchanged; the token itself, its key, its permissions and its expiry cannot be changed. A ' +
    '`name` that another unarchived token of the caller has, or an `externalId` that any token of the organisation ' +
    'has or had, causes 409 `Conflict`. An archived token and a token of another user cause 404 `NotFound`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: TokenParams,
  query: z.strictObject({}),
  body: UpdatePersonalAccessTokenBody,
  response: PersonalAccessToken,
  handle: ({ params, body, authority }, services) => update(services, authority, params.tokenId, body),
});
