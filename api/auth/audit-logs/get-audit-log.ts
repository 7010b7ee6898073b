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
  description:
    'Returns the author, the time and the evidence: the challenge, which commits to the request, and the public key and the ' +
    'signed assertion, which prove that the author signed the challenge. The call returns 404 `NotFound` for a user action ' +
    'that was signed but never used, and for an entry with the method `OPERATOR`, which has no signature.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  userAction: false,
  params: z.strictObject({ id: z.string().min(1).max(64) }),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({
    id: z.string(),
    action: z.string().describe('The ID of the operation; the method and the path if this release does not have the operation'),
    actionToken: z.string().describe('The challenge that was signed, which commits to the request'),
    userId: z.string().nullable().describe('The author of the change'),
    username: z.string().nullable(),
    datePerformed: z.iso.datetime().nullable().describe('When the change was carried out'),
    firstFactorCredential: z.object({
      id: z.string().describe('Empty if the credential was not recorded'),
      kind: z
        .union([Kind, z.literal(null)])
        .describe('Null for an action that was signed before the service recorded credential kinds'),
      publicKey: z.string().describe('SPKI in PEM; empty for a password'),
      assertion: z
        .object({
          authenticatorData: z.string().nullable().describe('Base64url; null unless the credential is a passkey'),
          clientData: z.string().describe('Base64url of the signed client data, which contains the challenge'),
          signature: z.string().describe('Base64url'),
        })
        .nullable()
        .describe('Null for a password'),
    }),
  }),
  handle: ({ params, authority }, { db, findOperation }) => get(db.read(authority.caller.orgId), findOperation, params.id),
});
