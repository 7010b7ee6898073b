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
  summary: 'Announce a changing request and receive the challenge to sign for it',
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
