import { z } from 'zod';
import { createCredentialCode as create } from '../../../application/credentials/credential-challenges';
import { SECOND_MS } from '../../../domain/durations';
import { operation } from '../../http/operation';

/** ISO text, or Unix seconds. */
const Expiration = z.union([z.iso.datetime({ offset: true }), z.number().int().positive().max(8.64e12).describe('Unix seconds')]);

export const createCredentialCode = operation({
  id: 'createCredentialCode',
  method: 'post',
  path: '/auth/credentials/code',
  tag: 'auth',
  summary: 'Create a code, valid for at most a minute, that adds a credential of the caller on a device without a session',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ expiration: Expiration }),
  response: z.object({ code: z.string(), expiration: z.string() }),
  handle: ({ body: { expiration }, authority }, services) =>
    create(services, authority, new Date(typeof expiration === 'number' ? expiration * SECOND_MS : expiration)),
});
