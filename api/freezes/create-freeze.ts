import { z } from 'zod';
import { createFreeze as create } from '../../application/freezes/request-freeze';
import { operation } from '../http/operation';
import { Freeze, FreezeBody } from './schemas';

export const createFreeze = operation({
  id: 'createFreeze',
  method: 'post',
  path: '/freezes',
  tag: 'freezes',
  summary: 'Freeze a wallet, a key, a network or the whole organisation at once',
  description:
    'New requests that involve the target are refused with 409 `TargetFrozen`, and requests that are under way are not signed ' +
    'or broadcast until the release; the workflow `freeze` also notifies the signer, which then refuses independently ' +
    '(`dateSignerTold`). A freeze applies to every record with the same public key, and a freeze of a key includes its wallets ' +
    'and the keys derived from it. If the target is already frozen, the call returns the active freeze unchanged; it returns ' +
    '400 `InvalidRequest` for an unknown wallet or key, and 400 `NetworkNotEnabled` for a network that this release does not ' +
    'support. No policy judges a freeze. The call emits `freeze.created`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Freezes:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: FreezeBody,
  response: Freeze,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
