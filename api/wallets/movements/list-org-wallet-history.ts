import { z } from 'zod';
import { ALL_HISTORY, historyLine } from '../../../application/movements/history';
import { answerExport } from '../../http/exports';
import { operation } from '../../http/operation';
import { OrgHistory, OrgHistoryQuery } from './schemas';

export const listOrgWalletHistory = operation({
  id: 'listOrgWalletHistory',
  method: 'get',
  path: '/wallets/all/history',
  tag: 'wallets',
  summary: 'List the movements into and out of all wallets in a period, oldest first',
  description:
    'The period includes both ends and is compared with block times; the call returns 400 `InvalidRequest` if `endTime` is ' +
    'before `startTime`. A client whose `Accept` prefers JSON receives one page with `nextPageToken`; any other client ' +
    'receives the whole period as CSV. The header `Strongroom-Rows` contains the number of lines; after 100,000 lines the ' +
    'header `X-SVC-Result-Truncated` is `true` and the last line begins with `# TRUNCATED`. The `paginationToken` in the last ' +
    'complete line continues a CSV that was cut off, without the header line. A movement is left out if a reorganisation has ' +
    'removed it, or if it was recorded after the export began.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: z.object({}),
  query: OrgHistoryQuery,
  body: z.unknown(),
  media: 'text/csv',
  response: OrgHistory,
  handle: ({ query, authority: { caller }, prefersJson }, { db }) =>
    answerExport(ALL_HISTORY, historyLine, query, { reader: db.read(caller.orgId), orgId: caller.orgId, prefersJson }),
});
