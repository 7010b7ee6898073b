import { z } from 'zod';
import { getPolicy as get } from '../../../application/policies/policies';
import { operation } from '../../http/operation';
import { PolicyParams, PolicyWithPendingChange } from './schemas';

export const getPolicy = operation({
  id: 'getPolicy',
  method: 'get',
  path: '/v2/policies/:policyId',
  tag: 'policies',
  summary: 'Read one policy',
  description:
    'Returns the content in force; for an archived policy, the content that was last in force. While an update or the archival ' +
    'of the policy waits for approval, `pendingChangeRequest` contains the change.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Read',
  userAction: false,
  params: PolicyParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: PolicyWithPendingChange,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.policyId),
});
