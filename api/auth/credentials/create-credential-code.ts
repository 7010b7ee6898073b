import { z } from 'zod';
import { createCredentialCode as create } from '../../../application/credentials/credential-challenges';
import { SECOND_MS } from '../../../domain/durations';
import { operation } from '../../http/operation';

const Expiration = z
  .union([z.iso.datetime({ offset: true }), z.number().int().positive().max(8.64e12).describe('Unix seconds')])
  .describe('When the code expires: in the future, and at most one minute ahead');

export const createCredentialCode = operation({
  id: 'createCredentialCode',
  method: 'post',
  path: '/auth/credentials/code',
  tag: 'auth',
  summary: 'Create a one-time code that adds a credential of the caller on another device',
  description:
    'The code authorises `POST /auth/credentials/code/init` once, without a session, and replaces an earlier code of the ' +
    'caller. The call returns `InvalidRequest` (400) if `expiration` is in the past or more than a minute ahead. The code ' +
    'becomes void if a credential of the caller is deactivated or removed.',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ expiration: Expiration }),
  response: z.object({
    code: z.string().describe('Three groups of three characters, joined by dashes; the service stores only its digest'),
    expiration: z.string().describe('When the code expires, as ISO 8601; never later than one minute after the request'),
  }),
  handle: ({ body: { expiration }, authority }, services) =>
    create(services, authority, new Date(typeof expiration === 'number' ? expiration * SECOND_MS : expiration)),
});
