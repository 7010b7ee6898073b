import { z } from 'zod';
import { listFeeSponsors as list } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { afterOf, PageQuery, pageOf } from '../http/pagination';
import { FeeSponsorPage } from './schemas';

export const listFeeSponsors = operation({
  id: 'listFeeSponsors',
  method: 'get',
  path: '/fee-sponsors',
  tag: 'fee-sponsors',
  summary: 'List the fee sponsors of the organisation, newest first',
  description:
    'Deactivated and deleted sponsors are listed too; a deleted sponsor has the status `Archived`. `listSponsoredFees` returns ' +
    'the fees that a sponsor has paid.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: FeeSponsorPage,
  handle: async ({ query: { limit, paginationToken }, authority }, { db }) => {
    const page = { after: afterOf(paginationToken), limit };
    const { rows, ...next } = pageOf(await list(db.read(authority.caller.orgId), page), limit);
    return { items: [...rows], ...next };
  },
});
