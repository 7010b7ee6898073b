import { z } from 'zod';
import { listAuditLogs as list } from '../../../application/user-actions/audit-logs';
import { TextAnswer } from '../../http/answer';
import { operation } from '../../http/operation';

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const listAuditLogs = operation({
  id: 'listAuditLogs',
  method: 'get',
  path: '/auth/action/logs',
  tag: 'auth',
  summary:
    'List the changes of a period with their authors, oldest first, as CSV; a client that asks for JSON receives it as a JSON string',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z
    .strictObject({ startTime: Moment, endTime: Moment, userId: z.string().min(1).max(64).optional() })
    .refine(({ startTime, endTime }) => startTime <= endTime, { path: ['endTime'], message: 'must not be before startTime' }),
  body: z.undefined(),
  media: 'text/csv',
  response: z.string(),
  handle: async ({ query: { startTime, endTime, userId }, authority }, { db, findOperation }) => {
    const reader = db.read(authority.caller.orgId);
    const { isTruncated, csv } = await list(reader, findOperation, { startTime, endTime, userId });
    return new TextAnswer('text/csv', csv, isTruncated ? { 'X-SVC-Result-Truncated': 'true' } : {});
  },
});
