import { z } from 'zod';
import { signingChallengeView } from '../../../application/user-actions/challenge-view';
import { announceAction } from '../../../application/user-actions/user-actions';
import { operation } from '../../http/operation';
import { ActionChallenge, AnnouncedRequest } from './schemas';

export const createUserActionChallenge = operation({
  id: 'createUserActionChallenge',
  method: 'post',
  path: '/auth/action/init',
  tag: 'auth',
  summary: 'Announce a change and receive the challenge that authorises it',
  description:
    'The challenge commits to the organisation, the user, the credentials that may sign, and the method, path and SHA-256 of ' +
    'the body of the request; for a decision it also commits to the approval. `POST /auth/action` exchanges the signed ' +
    'challenge, within 5 minutes, for the token that the header `x-svc-useraction` carries. A caller with an access token can ' +
    'sign only with the key of that token. If the caller has no credential that can be a first factor, the call returns ' +
    '`CredentialUnusable` (401).',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: AnnouncedRequest,
  response: ActionChallenge,
  handle: async ({ body, authority: { caller } }, services) => {
    const { db, commitmentOf, relyingParty } = services;
    const announced = { method: body.userActionHttpMethod, path: body.userActionHttpPath, payload: body.userActionPayload };
    const commitment = await commitmentOf(db.read(caller.orgId), announced);
    const { usable, ...challenge } = await announceAction(services, caller, announced, commitment);
    return { ...challenge, ...signingChallengeView(usable, relyingParty, true) };
  },
});
