import { z } from 'zod';
import { listCredentials as list } from '../../../application/credentials/credentials';
import { operation } from '../../http/operation';
import { Credential } from './schemas';

export const listCredentials = operation({
  id: 'listCredentials',
  method: 'get',
  path: '/auth/credentials',
  tag: 'auth',
  summary: "List the caller's own credentials",
  description:
    'Returns active and deactivated credentials, oldest first, in one page. Removed credentials and the keys of ' +
    'personal access tokens are not included.',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({ items: z.array(Credential) }),
  handle: async ({ authority: { caller } }, { db }) => ({ items: await list(db.read(caller.orgId), caller.userId) }),
});
