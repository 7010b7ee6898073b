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
  description: 'A vendor that was never connected is `Inactive` and has neither an ID nor dates. Credentials are never returned.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Read',
  userAction: false,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Integration,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.integrationKind),
});
