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
  summary: 'List the changes of a period with their authors, oldest first, as CSV',
  description:
    'Returns one line per consumed user action (`id`, `datePerformed`, `action`, `permission`, `method`, `path`, ' +
    '`bodySha256`, `userId`, `username`, `tokenId`, `credentialUuid`, `credentialKind`), and one with the method ' +
    '`OPERATOR` per registration that the operator reissued. The period includes both ends; `endTime` before ' +
    '`startTime` causes 400 `InvalidRequest`. A list ends after 100,000 lines: the header `X-SVC-Result-Truncated` ' +
    'is then `true`, and the last line begins with `# TRUNCATED`. A client whose `Accept` prefers JSON receives the ' +
    'CSV as one JSON string.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z
    .strictObject({
      startTime: Moment.describe('ISO 8601 with Z or an offset'),
      endTime: Moment.describe('ISO 8601 with Z or an offset; not before startTime'),
      userId: z.string().min(1).max(64).optional().describe('Only changes of this user'),
    })
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
