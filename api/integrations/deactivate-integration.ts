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
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Update',
  userAction: true,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: Integration,
  handle: ({ params, authority }, services) => deactivate(services, authority, params.integrationKind),
});
