import { z } from 'zod';
import { setFeeSponsorStatus } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { FeeSponsor, FeeSponsorParams, NoBody } from './schemas';

export const activateFeeSponsor = operation({
  id: 'activateFeeSponsor',
  method: 'put',
  path: '/fee-sponsors/:feeSponsorId/activate',
  tag: 'fee-sponsors',
  summary: 'Reactivate a fee sponsor',
  description:
    'New requests can name the sponsor again; a sponsor that is already active stays unchanged. If the sponsor was deleted, ' +
    'the call returns 409 `WrongState`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Update',
  userAction: true,
  params: FeeSponsorParams,
  query: z.strictObject({}),
  body: NoBody,
  response: FeeSponsor,
  handle: ({ params, authority }, services) => setFeeSponsorStatus(services, authority, params.feeSponsorId, 'Active'),
});
