import { z } from 'zod';
import { updateWallet as update } from '../../../application/wallets/wallets';
import { operation } from '../../http/operation';
import { Wallet, WalletParams } from '../../wallet-schemas';
import { UpdateWalletBody } from './schemas';

export const updateWallet = operation({
  id: 'updateWallet',
  method: 'put',
  path: '/wallets/:walletId',
  tag: 'wallets',
  summary: 'Change the name, external ID and metadata of a wallet; null clears them',
  description:
    'Changes only the members that the body contains; `metadata` replaces all texts. An end user can change only their own ' +
    'wallets. The call returns 409 `Conflict` if another wallet of the organisation has the external ID. The change does not ' +
    'need approval and does not emit an event.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Update',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: UpdateWalletBody,
  response: Wallet,
  handle: ({ params, body, authority }, services) => update(services, authority, params.walletId, body),
});
