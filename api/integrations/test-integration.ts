import { z } from 'zod';
import { EmptyBody } from '../../application/bodies/empty';
import { testIntegration as test } from '../../application/integrations/integrations';
import { operation } from '../http/operation';
import { IntegrationParams, IntegrationTest } from './schemas';

export const testIntegration = operation({
  id: 'testIntegration',
  method: 'post',
  path: '/integrations/:integrationKind/test',
  tag: 'integrations',
  summary: 'Test whether the vendor accepts the credentials',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Test',
  userAction: true,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: IntegrationTest,
  handle: ({ params, authority }, services) => test(services, authority, params.integrationKind),
});
