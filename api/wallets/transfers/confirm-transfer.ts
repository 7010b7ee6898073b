import { operation } from '../../http/operation';
import { transferForm } from './form';

/** An addition to the published interface: a suspected duplicate waits for this confirmation (S16). */
export const confirmTransfer = operation({
  id: 'confirmTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/confirm',
  summary: 'Confirm that a transfer which looks like a duplicate is intended',
  permission: 'Wallets:Transfers:Create',
  ...transferForm.confirm,
});
