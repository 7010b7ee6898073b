import { z } from 'zod';
import { updatePolicy as update } from '../../../application/policies/policies';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { contentOf, Policy, PolicyBody, PolicyChangeRequest, PolicyParams } from './schemas';

export const updatePolicy = operation({
  id: 'updatePolicy',
  method: 'put',
  path: '/v2/policies/:policyId',
  tag: 'policies',
  summary: 'Replace the content of an active policy',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Update',
  userAction: true,
  params: PolicyParams,
  query: z.strictObject({}),
  body: PolicyBody,
  response: Policy,
  accepted: PolicyChangeRequest,
  handle: async ({ params, body, authority }, services) =>
    answerOfChange(await update(services, authority, params.policyId, contentOf(body))),
});
