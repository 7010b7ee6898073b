import { z } from 'zod';
import { listKeys as list } from '../../application/keys/keys';
import { keyView } from '../../application/keys/view';
import { operation } from '../http/operation';
import { afterOf, pageOf } from '../http/pagination';
import { KeyPage, ListKeysQuery } from './schemas';

export const listKeys = operation({
  id: 'listKeys',
  method: 'get',
  path: '/keys',
  tag: 'keys',
  summary: 'List keys, newest first',
  description:
    'An end user sees only the keys delegated to this user, and none if the query specifies another owner; every other caller ' +
    'sees all keys of the organisation, including archived keys. A key that is still being created is not listed.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Read',
  userAction: false,
  params: z.object({}),
  query: ListKeysQuery,
  body: z.unknown(),
  response: KeyPage,
  handle: async ({ query: { limit, paginationToken, owner }, authority }, services) => {
    const found = await list(services, authority.caller, { owner, after: afterOf(paginationToken) }, limit + 1);
    const { rows, ...next } = pageOf(found.map(keyView), limit);
    return { items: [...rows], ...next };
  },
});
