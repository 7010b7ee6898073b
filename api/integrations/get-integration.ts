import { z } from 'zod';
import { getIntegration as get } from '../../application/integrations/integrations';
import { operation } from '../http/operation';
import { Integration, IntegrationParams } from './schemas';

export const getIntegration = operation({
  id: 'getIntegration',
  method: 'get',
  path: '/integrations/:integrationKind',
  tag: 'integrations',
  summary: 'Read whether a vendor is connected',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Read',
  userAction: false,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Integration,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.integrationKind),
});
