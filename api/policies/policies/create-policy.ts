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
  description:
    'The policy is in force when the response arrives, and creation itself never waits for approval. The service returns ' +
    '`InvalidRequest` (400) for a body that does not fit the schema, and for an action or a time that does not fit the rest of ' +
    'the policy. It also returns `InvalidRequest` for approvers who are not active employees, for service accounts that the ' +
    'group does not accept, for records that do not exist, and for a rule whose integration is not active; every issue names ' +
    'its member. If the requests of some initiator could never reach the quorum of a group, the response carries the header ' +
    '`strongroom-warning`; with the setting `refuseUnreachable` the call returns `Unreachable` (409) instead. Repeating the ' +
    'call creates another policy.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: PolicyBody,
  response: Policy,
  handle: ({ body, authority }, services) => create(services, authority, contentOf(body)),
});
