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
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({ items: z.array(PersonalAccessToken) }),
  handle: async ({ authority }, services) => ({ items: await list(services, authority.caller) }),
});
