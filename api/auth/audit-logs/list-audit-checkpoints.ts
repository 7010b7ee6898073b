import { z } from 'zod';
import { listCheckpoints } from '../../../application/hash-chains/checkpoints';
import { Checkpoint } from '../../http/hash-chains';
import { operation } from '../../http/operation';
import { afterOf, NextPageToken, PageQuery, tokenAfter } from '../../http/pagination';

export const listAuditCheckpoints = operation({
  id: 'listAuditCheckpoints',
  method: 'get',
  path: '/audit-log/checkpoints',
  tag: 'auth',
  summary: "List the signer's checkpoints of the audit log, newest first",
  description:
    'About once a minute the signer signs the head of an audit log that has new entries. A checkpoint that is kept elsewhere ' +
    'proves later that the log up to it was not changed. The signer attests what the service showed to it. Until its next start the signer ' +
    'never attests an earlier position than before.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(Checkpoint), nextPageToken: NextPageToken }),
  handle: async ({ query: { limit, paginationToken }, authority }, { db }) => {
    const rows = await listCheckpoints(db.read(authority.caller.orgId), 'audit', afterOf(paginationToken), limit);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return rows.length > limit && last ? { items, nextPageToken: tokenAfter(String(last.sequence)) } : { items };
  },
});
