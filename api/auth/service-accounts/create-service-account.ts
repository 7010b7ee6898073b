import { z } from 'zod';
import { createServiceAccount as create } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { ABOUT_FIRST_PERMISSION } from '../token-schemas';
import { CreateServiceAccountBody, ServiceAccount } from './schemas';

export const createServiceAccount = operation({
  id: 'createServiceAccount',
  method: 'post',
  path: '/auth/service-accounts',
  tag: 'auth',
  summary: 'Create a service account with its token',
  description:
    'A service account is a separate user for a program. The program has one bearer token, which only this response contains ' +
    '(`accessTokens[0].accessToken`), and signs its user actions with the key pair of `publicKey`. The account has only the ' +
    'permission of `permissionId`; if policies on `Permissions:Assign` hold the assignment, the account is created without the ' +
    'permission and receives the permission after the approval. If another unarchived service account has the `name`, or any ' +
    'user of the organisation, even an archived one, has the `externalId`, the call returns 409 `Conflict`. ' +
    ABOUT_FIRST_PERMISSION,
  callers: ['CustomerEmployee'],
  permission: 'Auth:ServiceAccounts:Create',
  furtherPermissionNames: ['Permissions:Assign'],
  userAction: true,
  refusesPersonalTokens: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CreateServiceAccountBody,
  response: ServiceAccount,
  furtherPermissions: ({ permissionId }) => (permissionId === undefined ? [] : ['Permissions:Assign']),
  handle: ({ body, authority }, services) => create(services, authority, body),
});
