import { z } from 'zod';
import { listSponsoredFees as list } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { afterOf, PageQuery, pageOf } from '../http/pagination';
import { FeeSponsorParams, SponsoredFeePage } from './schemas';

export const listSponsoredFees = operation({
  id: 'listSponsoredFees',
  method: 'get',
  path: '/fee-sponsors/:feeSponsorId/fees',
  tag: 'fee-sponsors',
  summary: 'List the fees that a fee sponsor has paid, newest request first',
  description:
    'A fee appears once the transfer or transaction is final, whether or not that transfer or transaction succeeded. A ' +
    'deactivated or deleted sponsor keeps its list; the call returns 404 `NotFound` if the ID is unknown.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Read',
  userAction: false,
  params: FeeSponsorParams,
  query: PageQuery,
  body: z.undefined(),
  response: SponsoredFeePage,
  handle: async ({ params, query: { limit, paginationToken }, authority }, { db }) => {
    const page = { after: afterOf(paginationToken), limit };
    const found = await list(db.read(authority.caller.orgId), params.feeSponsorId, page);
    const { rows, ...next } = pageOf(
      found.map((row) => ({ ...row, id: row.requestId })),
      limit,
    );
    return { items: rows.map(({ id: _id, ...row }) => row), ...next };
  },
});
