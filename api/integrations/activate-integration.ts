import { z } from 'zod';
import { activateIntegration as activate } from '../../application/integrations/integrations';
import { operation } from '../http/operation';
import { Integration, IntegrationCredentials, IntegrationParams } from './schemas';

export const activateIntegration = operation({
  id: 'activateIntegration',
  method: 'put',
  path: '/integrations/:integrationKind',
  tag: 'integrations',
  summary: 'Connect a vendor with credentials or replace its credentials',
  description:
    'The credentials are stored encrypted and replace earlier ones at once; no response contains them, and the recorded user ' +
    'action keeps only a digest of the body. `webhookSecret` is required for `TravelRule`, which signs its callbacks with this ' +
    'secret, and must be absent for the other vendors; otherwise the call returns 400 `InvalidRequest`. This call does not ' +
    'contact the vendor; `testIntegration` does.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Integrations:Update',
  userAction: true,
  secretBody: true,
  params: IntegrationParams,
  query: z.strictObject({}),
  body: IntegrationCredentials,
  response: Integration,
  handle: ({ params, body, authority }, services) => activate(services, authority, params.integrationKind, body),
});
