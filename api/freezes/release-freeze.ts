import { z } from 'zod';
import { releaseFreeze as release } from '../../application/freezes/request-freeze';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Freeze, FreezeChangeRequest, FreezeParams } from './schemas';

export const releaseFreeze = operation({
  id: 'releaseFreeze',
  method: 'delete',
  path: '/freezes/:freezeId',
  tag: 'freezes',
  summary: 'Release a freeze, under the policies on policies',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Freezes:Release',
  userAction: true,
  params: FreezeParams,
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  response: Freeze,
  accepted: FreezeChangeRequest,
  handle: async ({ params, authority }, services) => answerOfChange(await release(services, authority, params.freezeId)),
});
