import { operation } from '../../http/operation';
import { transferForm } from './form';

/** Beyond the contract: a transfer that may have been sent twice waits for this (S16). */
export const confirmTransfer = operation({
  id: 'confirmTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/confirm',
  summary: 'Say that a transfer is meant besides an equal one',
  permission: 'Wallets:Transfers:Create',
  ...transferForm.confirm,
});
