import { z } from 'zod';
import { exportKeyOf, historyBetween, historyCsv, historyLine } from '../../../application/movements/history';
import { operation } from '../../http/operation';
import { afterOf, tokenAfter } from '../../http/pagination';
import { csvAnswer } from '../../http/period';
import { OrgHistory, OrgHistoryQuery } from './schemas';

export const listOrgWalletHistory = operation({
  id: 'listOrgWalletHistory',
  method: 'get',
  path: '/wallets/all/history',
  tag: 'wallets',
  summary: 'List the movements into and out of all wallets in a period, oldest first',
  description:
    'The period includes both ends and is compared with block times; `endTime` before `startTime` causes 400 `InvalidRequest`. ' +
    'A client whose `Accept` prefers JSON receives one page with `nextPageToken`. Any other client receives the whole period as ' +
    'CSV: it ends after 100,000 lines, the header `X-SVC-Result-Truncated` is then `true`, and the last line begins with ' +
    '`# TRUNCATED`. A movement that a reorganisation has removed is left out.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: z.object({}),
  query: OrgHistoryQuery,
  body: z.unknown(),
  media: 'text/csv',
  response: OrgHistory,
  handle: async ({ query: { limit, paginationToken, ...period }, authority: { caller }, prefersJson }, { db }) => {
    const reader = db.read(caller.orgId);
    if (prefersJson) {
      const rows = await historyBetween(reader, period, afterOf(paginationToken), limit + 1);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        ...{ orgId: caller.orgId, items: shown.map(historyLine) },
        ...(rows.length > limit && last ? { nextPageToken: tokenAfter(exportKeyOf(last)) } : {}),
      };
    }
    return csvAnswer(await historyCsv(reader, period));
  },
});
