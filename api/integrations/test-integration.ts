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
    'The workflow `testIntegration` contacts the vendor once with the stored credentials; a failure is a response ' +
    'with 200 whose `ok` is false. A vendor that is not connected causes 409 `WrongState`; if there is no result ' +
    'within 12 seconds, the response is 503 `NotReady`, and the user action is used up.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Test',
  userAction: true,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: IntegrationTest,
  handle: ({ params, authority }, services) => test(services, authority, params.integrationKind),
});
