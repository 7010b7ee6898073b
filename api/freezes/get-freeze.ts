import { z } from 'zod';
import { getFreeze as get } from '../../application/freezes/request-freeze';
import { operation } from '../http/operation';
import { FreezeParams, FreezeWithPendingChange } from './schemas';

export const getFreeze = operation({
  id: 'getFreeze',
  method: 'get',
  path: '/freezes/:freezeId',
  tag: 'freezes',
  summary: 'Read one freeze',
  description:
    'A release that waits for approval is shown as `pendingChangeRequest`. The call returns 404 `NotFound` if the ID is unknown.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Freezes:Read',
  userAction: false,
  params: FreezeParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: FreezeWithPendingChange,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.freezeId),
});
