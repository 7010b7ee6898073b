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
  description:
    'The workflow `testIntegration` contacts the vendor once with the stored credentials; if the test fails, the call returns ' +
    '200 with `ok` false. The call returns 409 `WrongState` if the vendor is not connected; without a result within 12 seconds ' +
    'it returns 503 `NotReady`, and the user action is used up.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Test',
  userAction: true,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: IntegrationTest,
  handle: ({ params, authority }, services) => test(services, authority, params.integrationKind),
});
