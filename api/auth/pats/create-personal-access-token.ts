import { z } from 'zod';
import { createPersonalAccessToken as create } from '../../../application/access-tokens/personal-access-tokens';
import { operation } from '../../http/operation';
import { ABOUT_FIRST_PERMISSION, CreatedPersonalAccessToken } from '../token-schemas';
import { CreatePersonalAccessTokenBody } from './schemas';

export const createPersonalAccessToken = operation({
  id: 'createPersonalAccessToken',
  method: 'post',
  path: '/auth/pats',
  tag: 'auth',
  summary: 'Create a personal access token for the caller',
  description:
    'The token acts as its owner and signs user actions with the key pair of `publicKey`; only this response contains the ' +
    'token, as `accessToken`. With `permissionId` the token can do only what this permission and the permissions of the owner ' +
    'both allow; while policies on `Permissions:Assign` hold the assignment, the token can do nothing. Without `permissionId` ' +
    'the token can do everything that its owner may do at the time of each request, except operations marked ' +
    '`x-pat-forbidden`. The call returns 409 `Conflict` if another unarchived token of the caller has the `name`, or if any ' +
    'token of the organisation, even an archived one, has the `externalId`. ' +
    ABOUT_FIRST_PERMISSION,
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
