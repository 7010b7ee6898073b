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
    'New requests that involve the target are refused with 409 `TargetFrozen`, and those that are under way are not ' +
    'signed or broadcast until the release; the workflow `freeze` also tells the signer, which then refuses independently ' +
    '(`dateSignerTold`). A freeze applies to every record with the same public key, and a freeze of a key includes its ' +
    'wallets and the keys derived from it. A target that is frozen already returns its active freeze unchanged; an ' +
    'unknown wallet or key causes 400 `InvalidRequest`, and a network that this release does not support causes 400 ' +
    '`NetworkNotEnabled`. No policy judges a freeze. It emits `freeze.created`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Freezes:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: FreezeBody,
  response: Freeze,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
