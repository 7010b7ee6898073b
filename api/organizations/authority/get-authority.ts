import { z } from 'zod';
import { authorityOf } from '../../../application/amendments/authority';
import { operation } from '../../http/operation';
import { Authority } from './schemas';

export const getAuthority = operation({
  id: 'getAuthority',
  method: 'get',
  path: '/organizations/authority',
  tag: 'organizations',
  summary: 'Read the charter by which the signer judges the organisation',
  description:
    'Returns the charter that the service last read from the signer, and the changes by members that the charter does not ' +
    'contain yet or that the signer refused. An attacker who controls the service can show anything here. Only the paper on ' +
    "which people compared fingerprints, the operator's command `authority:status` and the verifying tool prove which charter " +
    'is in force.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Orgs:Settings:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: Authority,
  handle: ({ authority }, { db }) => authorityOf(db.read(authority.caller.orgId)),
});
