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
    'Returns each event of the organisation in the order in which the changes happened; the period includes both ends, and the ' +
    'call returns 400 `InvalidRequest` if `endTime` is before `startTime`. A client whose `Accept` prefers JSON receives one ' +
    'page with `nextPageToken`; any other client receives the whole period as CSV, whose column `data` contains the body of ' +
    'the event as JSON. The header `Strongroom-Rows` contains the number of lines; after 50,000 lines the header ' +
    '`X-SVC-Result-Truncated` is `true` and the last line begins with `# TRUNCATED`. The `paginationToken` in the last ' +
    'complete line continues a CSV that was cut off, without the header line. An event can appear some seconds after its date, ' +
    'so a reader who must not miss a new event uses `listEvents`.',
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
