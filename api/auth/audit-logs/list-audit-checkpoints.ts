import { z } from 'zod';
import { CheckpointPage, checkpointPage } from '../../http/hash-chains';
import { operation } from '../../http/operation';
import { PageQuery } from '../../http/pagination';

export const listAuditCheckpoints = operation({
  id: 'listAuditCheckpoints',
  method: 'get',
  path: '/audit-log/checkpoints',
  tag: 'auth',
  summary: "List the signer's checkpoints of the audit log, newest first",
  description:
    'About once a minute the signer signs the head of an audit log that has new entries. A checkpoint that is kept outside the ' +
    'service can later prove that no entry before it was changed. The signer attests the log that the service shows. Unless ' +
    'the signer is restarted, it never attests an earlier position than before.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: CheckpointPage,
  handle: ({ query, authority }, { db }) => checkpointPage(db.read(authority.caller.orgId), 'audit', query),
});
