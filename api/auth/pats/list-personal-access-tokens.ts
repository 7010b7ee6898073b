import { z } from 'zod';
import { listPersonalAccessTokens as list } from '../../../application/access-tokens/personal-access-tokens';
import { operation } from '../../http/operation';
import { PersonalAccessToken } from '../token-schemas';

export const listPersonalAccessTokens = operation({
  id: 'listPersonalAccessTokens',
  method: 'get',
  path: '/auth/pats',
  tag: 'auth',
  summary: "List the caller's own personal access tokens, newest first",
  description:
    'Returns all tokens in one response, including inactive and expired tokens but not archived tokens. Only the response that ' +
    'creates a token contains the token itself.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({ items: z.array(PersonalAccessToken) }),
  handle: async ({ authority }, services) => ({ items: await list(services, authority.caller) }),
});
