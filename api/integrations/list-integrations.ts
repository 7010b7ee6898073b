import { z } from 'zod';
import { listIntegrations as list } from '../../application/integrations/integrations';
import { operation } from '../http/operation';
import { Integration } from './schemas';

export const listIntegrations = operation({
  id: 'listIntegrations',
  method: 'get',
  path: '/integrations',
  tag: 'integrations',
  summary: 'List the available vendors and whether each is connected',
  description:
    'Returns one entry per vendor that this release supports; a vendor that was never connected is `Inactive`. ' +
    'Credentials are never returned.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({ items: z.array(Integration) }),
  handle: async ({ authority }, { db }) => ({ items: await list(db.read(authority.caller.orgId)) }),
});
