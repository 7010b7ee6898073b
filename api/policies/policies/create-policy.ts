import { z } from 'zod';
import { createPolicy as create } from '../../../application/policies/policies';
import { operation } from '../../http/operation';
import { contentOf, Policy, PolicyBody } from './schemas';

export const createPolicy = operation({
  id: 'createPolicy',
  method: 'post',
  path: '/v2/policies',
  tag: 'policies',
  summary: 'Create a policy',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: PolicyBody,
  response: Policy,
  handle: ({ body, authority }, services) => create(services, authority, contentOf(body)),
});
