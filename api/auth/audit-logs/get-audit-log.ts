import { z } from 'zod';
import { getAuditLog as get } from '../../../application/user-actions/audit-logs';
import { operation } from '../../http/operation';
import { Kind } from '../schemas';

export const getAuditLog = operation({
  id: 'getAuditLog',
  method: 'get',
  path: '/auth/action/logs/:id',
  tag: 'auth',
  summary: 'Read one change with the signature that authorised it',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({ id: z.string().min(1).max(64) }),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({
    id: z.string(),
    action: z.string().describe('The operation, or method and path where this release has no such operation'),
    actionToken: z.string().describe('The challenge that was signed, which commits to the request'),
    userId: z.string().nullable(),
    username: z.string().nullable(),
    datePerformed: z.iso.datetime().nullable(),
    firstFactorCredential: z.object({
      id: z.string(),
      kind: z.union([Kind, z.literal(null)]),
      publicKey: z.string().describe('Empty for a password'),
      assertion: z
        .object({ authenticatorData: z.string().nullable(), clientData: z.string(), signature: z.string() })
        .nullable()
        .describe('Null for a password'),
    }),
  }),
  handle: ({ params, authority }, { db, findOperation }) => get(db.read(authority.caller.orgId), findOperation, params.id),
});
