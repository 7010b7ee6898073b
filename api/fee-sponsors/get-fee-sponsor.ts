import { z } from 'zod';
import { getFeeSponsor as get } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { FeeSponsor, FeeSponsorParams } from './schemas';

export const getFeeSponsor = operation({
  id: 'getFeeSponsor',
  method: 'get',
  path: '/fee-sponsors/:feeSponsorId',
  tag: 'fee-sponsors',
  summary: 'Read one fee sponsor',
  description:
    'A deleted sponsor can still be read and has the status `Archived`. The call returns 404 `NotFound` if the ID is unknown.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Read',
  userAction: false,
  params: FeeSponsorParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: FeeSponsor,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.feeSponsorId),
});
