import { z } from 'zod';
import { listAuditLogs as list } from '../../../application/user-actions/audit-logs';
import { operation } from '../../http/operation';
import { csvAnswer, isInOrder, OUT_OF_ORDER, periodMembers } from '../../http/period';

export const listAuditLogs = operation({
  id: 'listAuditLogs',
  method: 'get',
  path: '/auth/action/logs',
  tag: 'auth',
  summary: 'List the changes of a period with their authors, oldest first, as CSV',
  description:
    'Returns one line per consumed user action (`id`, `datePerformed`, `action`, `permission`, `method`, `path`, `bodySha256`, ' +
    '`userId`, `username`, `tokenId`, `credentialUuid`, `credentialKind`), and one line with the method `OPERATOR` per ' +
    'registration that the operator reissued. The period includes both ends; the call returns 400 `InvalidRequest` if ' +
    '`endTime` is before `startTime`. A list ends after 100,000 lines: the header `X-SVC-Result-Truncated` is then `true`, and ' +
    'the last line begins with `# TRUNCATED`. A client whose `Accept` prefers JSON receives the CSV as one JSON string.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z
    .strictObject({
      ...periodMembers,
      userId: z.string().min(1).max(64).optional().describe('Only changes by this user'),
    })
    .refine(isInOrder, OUT_OF_ORDER),
  body: z.undefined(),
  media: 'text/csv',
  response: z.string(),
  handle: async ({ query: { startTime, endTime, userId }, authority }, { db, findOperation }) =>
    csvAnswer(await list(db.read(authority.caller.orgId), findOperation, { startTime, endTime, userId })),
});
