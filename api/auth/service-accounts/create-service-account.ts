import { z } from 'zod';
import { createServiceAccount as create } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { CreateServiceAccountBody, ServiceAccount } from './schemas';

export const createServiceAccount = operation({
  id: 'createServiceAccount',
  method: 'post',
  path: '/auth/service-accounts',
  tag: 'auth',
  summary: 'Create a service account; only this response contains its token',
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
