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
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: TokenParams,
  query: z.strictObject({}),
  body: UpdatePersonalAccessTokenBody,
  response: PersonalAccessToken,
  handle: ({ params, body, authority }, services) => update(services, authority, params.tokenId, body),
});
