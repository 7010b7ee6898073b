import { z } from 'zod';
import { setFeeSponsorStatus } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { FeeSponsor, FeeSponsorParams, NoBody } from './schemas';

export const deactivateFeeSponsor = operation({
  id: 'deactivateFeeSponsor',
  method: 'put',
  path: '/fee-sponsors/:feeSponsorId/deactivate',
  tag: 'fee-sponsors',
  summary: 'Deactivate a fee sponsor; it pays for no new request',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Update',
  userAction: true,
  params: FeeSponsorParams,
  query: z.strictObject({}),
  body: NoBody,
  response: FeeSponsor,
  handle: ({ params, authority }, services) => setFeeSponsorStatus(services, authority, params.feeSponsorId, 'Deactivated'),
});
