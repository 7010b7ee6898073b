import { z } from 'zod';
import { archivePolicy as archive } from '../../../application/policies';
import { operation } from '../../http/operation';
import { Policy, PolicyParams } from './schemas';

export const archivePolicy = operation({
  id: 'archivePolicy',
  method: 'delete',
  path: '/v2/policies/:policyId',
  tag: 'policies',
  summary: 'Take a policy out of force, for good',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Archive',
  userAction: true,
  params: PolicyParams,
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  response: Policy,
  handle: ({ params, authority }, services) => archive(services, authority, params.policyId),
});
