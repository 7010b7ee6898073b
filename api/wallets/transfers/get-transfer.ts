import { operation } from '../../http/operation';
import { transferForm } from './form';

export const getTransfer = operation({
  id: 'getTransfer',
  method: 'get',
  path: '/wallets/:walletId/transfers/:transferId',
  summary: 'Read one transfer',
  permission: 'Wallets:Transfers:Read',
  ...transferForm.get,
});
