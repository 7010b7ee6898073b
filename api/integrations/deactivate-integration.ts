import { z } from 'zod';
import { EmptyBody } from '../../application/bodies/empty';
import { deactivateIntegration as deactivate } from '../../application/integrations/integrations';
import { operation } from '../http/operation';
import { Integration, IntegrationParams } from './schemas';

export const deactivateIntegration = operation({
  id: 'deactivateIntegration',
  method: 'delete',
  path: '/integrations/:integrationKind',
  tag: 'integrations',
  summary: 'Disconnect a vendor and delete its credentials',
  description:
    'Policies that need the vendor stay in force and treat every query to it as failed; callbacks from the vendor are refused ' +
    'from now on. A vendor that is not connected is returned unchanged.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Update',
  userAction: true,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: Integration,
  handle: ({ params, authority }, services) => deactivate(services, authority, params.integrationKind),
});
