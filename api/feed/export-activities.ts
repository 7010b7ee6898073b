import { z } from 'zod';
import { activityView, EXPORTED_ACTIVITIES } from '../../application/feed/activities';
import { answerExport } from '../http/exports';
import { operation } from '../http/operation';
import { ActivityExportQuery, ActivityPage } from './schemas';

export const exportActivities = operation({
  id: 'exportActivities',
  method: 'get',
  path: '/activities/export',
  tag: 'events',
  summary: 'Export the events of a period, oldest first',
  description:
    'Returns each event of the organisation by the date of its change; the period includes both ends, and `endTime` ' +
    'before `startTime` causes 400 `InvalidRequest`. A client whose `Accept` prefers JSON receives one page with ' +
    '`nextPageToken`; any other client receives the whole period as CSV, whose column `data` is the body of the event as ' +
    'JSON. The header `Strongroom-Rows` has the number of lines, and after 50,000 lines the header ' +
    '`X-SVC-Result-Truncated` is `true` and the last line begins with `# TRUNCATED`. The `paginationToken` of the last ' +
    'whole line continues a CSV that was cut off, without the header line. An event can appear some seconds after its ' +
    'date, so a reader who follows new events without a gap uses `listEvents`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Activities:Read',
  userAction: false,
  params: z.strictObject({}),
  query: ActivityExportQuery,
  body: z.undefined(),
  media: 'text/csv',
  response: ActivityPage,
  handle: ({ query, authority: { caller }, prefersJson }, { db }) =>
    answerExport(EXPORTED_ACTIVITIES, activityView, query, { reader: db.read(caller.orgId), orgId: caller.orgId, prefersJson }),
});
