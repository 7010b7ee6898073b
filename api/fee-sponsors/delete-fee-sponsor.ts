import { z } from 'zod';
import { setFeeSponsorStatus } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { FeeSponsor, FeeSponsorParams, NoBody } from './schemas';

export const deleteFeeSponsor = operation({
  id: 'deleteFeeSponsor',
  method: 'delete',
  path: '/fee-sponsors/:feeSponsorId',
  tag: 'fee-sponsors',
  summary: 'Delete a fee sponsor',
  description:
    'The sponsor becomes `Archived` permanently but stays readable, and its wallet can become a new sponsor; repeating the ' +
    'call changes nothing. Requests that the sponsor has not signed yet fail; the sponsor still pays for replacements of ' +
    'transactions that it has signed.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Delete',
  userAction: true,
  params: FeeSponsorParams,
  query: z.strictObject({}),
  body: NoBody,
  response: FeeSponsor,
  handle: ({ params, authority }, services) => setFeeSponsorStatus(services, authority, params.feeSponsorId, 'Archived'),
});
