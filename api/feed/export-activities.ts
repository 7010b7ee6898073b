import { z } from 'zod';
import { activitiesBetween, activitiesCsv, activityKeyOf, activityView } from '../../application/feed/activities';
import { operation } from '../http/operation';
import { afterOf, tokenAfter } from '../http/pagination';
import { csvAnswer } from '../http/period';
import { ActivityExportQuery, ActivityPage } from './schemas';

export const exportActivities = operation({
  id: 'exportActivities',
  method: 'get',
  path: '/activities/export',
  tag: 'events',
  summary: 'Export the events of a period, oldest first',
  description:
    'Returns each event of the organisation by the date of its change. The period includes both ends; `endTime` before ' +
    '`startTime` causes 400 `InvalidRequest`. A client whose `Accept` prefers JSON receives one page with `nextPageToken`. Any ' +
    'other client receives the whole period as CSV, whose column `data` is the body of the event as JSON: it ends after 50,000 ' +
    'lines, the header `X-SVC-Result-Truncated` is then `true`, and the last line begins with `# TRUNCATED`. An event can appear ' +
    'some seconds after its date, so a reader who follows new events without a gap uses `listEvents`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Activities:Read',
  userAction: false,
  params: z.strictObject({}),
  query: ActivityExportQuery,
  body: z.undefined(),
  media: 'text/csv',
  response: ActivityPage,
  handle: async ({ query: { limit, paginationToken, ...period }, authority: { caller }, prefersJson }, { db }) => {
    const reader = db.read(caller.orgId);
    if (!prefersJson) return csvAnswer(await activitiesCsv(reader, period));
    const rows = await activitiesBetween(reader, period, afterOf(paginationToken), limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      ...{ orgId: caller.orgId, items: page.map(activityView) },
      ...(rows.length > limit && last ? { nextPageToken: tokenAfter(activityKeyOf(last)) } : {}),
    };
  },
});
