import { z } from 'zod';
import { listApplications as list } from '../../../application/users/apps';
import { operation } from '../../http/operation';
import { Application } from './schemas';

export const listApplications = operation({
  id: 'listApplications',
  method: 'get',
  path: '/auth/apps',
  tag: 'auth',
  summary: 'List the web pages on which people of the organisation sign',
  description:
    'Returns one entry per configured origin (`ORIGINS`) in the format of the deprecated applications in the published ' +
    'interface. The entries are derived from the configuration, are not stored, and have neither permissions nor tokens.',
  deprecated: true,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({ items: z.array(Application) }),
  handle: async ({ authority }, services) => ({ items: list(services, authority.caller) }),
});
