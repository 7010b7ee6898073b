import { z } from 'zod';
import { readAuditLog } from '../../../application/audit-logs/read-audit-log';
import { ChainHead, ChainQuery, nextCursor, startOf } from '../../http/hash-chains';
import { operation } from '../../http/operation';
import { AuditItem } from './schemas';

export const listAuditEntries = operation({
  id: 'listAuditEntries',
  method: 'get',
  path: '/audit-log',
  tag: 'auth',
  summary: 'Read the audit log as a chain of hashes, oldest first',
  description:
    'The log contains every signed user action that was carried out, every signed request that was refused, every charter that ' +
    'came into force, and every operator command that concerns the organisation. Each entry continues a chain of hashes, so a ' +
    'reader that has verified the entries up to a checkpoint knows that no entry was edited or removed. The call returns 409 ' +
    '`CursorOfAnotherAuditLog` if the cursor belongs to another organisation or to a log with a different past, and 404 ' +
    '`CursorBeyondAuditLog` if the cursor is beyond the head.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({}),
  query: ChainQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(AuditItem), nextCursor, head: ChainHead }),
  handle: async ({ query: { after, limit }, authority }, { db }) =>
    readAuditLog(db.read(authority.caller.orgId), { after: startOf(after), limit }),
});
