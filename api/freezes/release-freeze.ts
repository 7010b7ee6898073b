import { z } from 'zod';
import { releaseFreeze as release } from '../../application/freezes/request-freeze';
import { aboutPolicies, answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Freeze, FreezeChangeRequest, FreezeParams } from './schemas';

export const releaseFreeze = operation({
  id: 'releaseFreeze',
  method: 'delete',
  path: '/freezes/:freezeId',
  tag: 'freezes',
  summary: 'Release a freeze',
  description:
    'The release wakes the requests that the freeze held, and the workflow `freeze` notifies the signer, which signs again ' +
    'from `dateSignerReleased` on; the release emits `freeze.released`. Every policy on `Policies:Modify` judges the release, ' +
    'whichever policies the filters of that policy name. A freeze that is already released is returned unchanged; but if the ' +
    'signer did not carry out the release within 24 hours of the request, or the request was signed while no signer could be ' +
    'reached, the release is requested again. ' +
    aboutPolicies('Policies:Modify'),
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
