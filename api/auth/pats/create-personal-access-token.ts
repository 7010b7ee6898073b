import { z } from 'zod';
import { createPersonalAccessToken as create } from '../../../application/access-tokens/personal-access-tokens';
import { operation } from '../../http/operation';
import { CreatedPersonalAccessToken } from '../token-schemas';
import { CreatePersonalAccessTokenBody } from './schemas';

export const createPersonalAccessToken = operation({
  id: 'createPersonalAccessToken',
  method: 'post',
  path: '/auth/pats',
  tag: 'auth',
  summary: 'Create a token with which a program acts as the caller; only this response contains it',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: 'Auth:Pats:Create',
  furtherPermissionNames: ['Permissions:Assign'],
  userAction: true,
  refusesPersonalTokens: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CreatePersonalAccessTokenBody,
  response: CreatedPersonalAccessToken,
  furtherPermissions: ({ permissionId }) => (permissionId === undefined ? [] : ['Permissions:Assign']),
  handle: ({ body, authority }, services) => create(services, authority, body),
});
