import { z } from 'zod';
import { archivePolicy as archive } from '../../../application/policies/policies';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { Policy, PolicyChangeRequest, PolicyParams } from './schemas';

export const archivePolicy = operation({
  id: 'archivePolicy',
  method: 'delete',
  path: '/v2/policies/:policyId',
  tag: 'policies',
  summary: 'Archive a policy for good',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Archive',
  userAction: true,
  params: PolicyParams,
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  response: Policy,
  accepted: PolicyChangeRequest,
  handle: async ({ params, authority }, services) => answerOfChange(await archive(services, authority, params.policyId)),
});
