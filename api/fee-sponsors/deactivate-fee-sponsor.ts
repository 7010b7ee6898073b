import { z } from 'zod';
import { setFeeSponsorStatus } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { FeeSponsor, FeeSponsorParams, NoBody } from './schemas';

export const deactivateFeeSponsor = operation({
  id: 'deactivateFeeSponsor',
  method: 'put',
  path: '/fee-sponsors/:feeSponsorId/deactivate',
  tag: 'fee-sponsors',
  summary: 'Deactivate a fee sponsor',
  description:
    'New requests that name the sponsor are refused with 400 `InvalidRequest`, and requests that the sponsor has not signed ' +
    'yet fail; the sponsor still pays for replacements of transactions that it has signed. Repeating the call changes nothing; ' +
    'the call returns 409 `WrongState` if the sponsor was deleted.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Update',
  userAction: true,
  params: FeeSponsorParams,
  query: z.strictObject({}),
  body: NoBody,
  response: FeeSponsor,
  handle: ({ params, authority }, services) => setFeeSponsorStatus(services, authority, params.feeSponsorId, 'Deactivated'),
});
