import { z } from 'zod';
import { getApplication as get } from '../../../application/users/apps';
import { operation } from '../../http/operation';
import { Application } from './schemas';

export const getApplication = operation({
  id: 'getApplication',
  method: 'get',
  path: '/auth/apps/:appId',
  tag: 'auth',
  summary: 'Read one web page on which people of the organisation sign',
  description:
    'The entry is derived from the configuration, and its ID is derived from the organisation and the origin, so the ID stays ' +
    'the same. The call returns 404 `NotFound` if the ID does not belong to a configured origin; the former prefix `app-` is ' +
    'accepted in place of `ap-`.',
  deprecated: true,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({ appId: z.string().min(1).max(64) }),
  query: z.strictObject({}),
  body: z.undefined(),
  response: Application,
  handle: async ({ params, authority }, services) => get(services, authority.caller, params.appId),
});
