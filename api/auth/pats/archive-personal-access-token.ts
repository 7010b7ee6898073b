import { z } from 'zod';
import { archivePersonalAccessToken as archive } from '../../../application/access-tokens/personal-access-tokens';
import { EmptyBody } from '../../../application/bodies/empty';
import { operation } from '../../http/operation';
import { PersonalAccessToken } from '../token-schemas';
import { TokenParams } from './schemas';

export const archivePersonalAccessToken = operation({
  id: 'archivePersonalAccessToken',
  method: 'delete',
  path: '/auth/pats/:tokenId',
  tag: 'auth',
  summary: "Archive one of the caller's own personal access tokens",
  description:
    'The token is refused from its next request on, and the key that signs for the token is removed too; neither can be ' +
    'restored. The response is the last record of the token; repeating the call returns 404 `NotFound`. The `name` can be used ' +
    'again, but the `externalId` cannot.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: TokenParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: PersonalAccessToken,
  handle: ({ params, authority }, services) => archive(services, authority, params.tokenId),
});
