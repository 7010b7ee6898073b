import { z } from 'zod';
import { CheckpointPage, checkpointPage } from '../http/hash-chains';
import { operation } from '../http/operation';
import { PageQuery } from '../http/pagination';

export const listFeedCheckpoints = operation({
  id: 'listFeedCheckpoints',
  method: 'get',
  path: '/events/checkpoints',
  tag: 'events',
  summary: "List the signer's checkpoints of the feed, newest first",
  description:
    'About once a minute the signer signs the head of a feed that has new events. A checkpoint that is kept outside the ' +
    'service can later prove that no event before it was changed. The signer attests the feed that the service shows. Unless ' +
    'the signer is restarted, it never attests an earlier position than before.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Events:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: CheckpointPage,
  handle: ({ query, authority }, { db }) => checkpointPage(db.read(authority.caller.orgId), 'feed', query),
});
