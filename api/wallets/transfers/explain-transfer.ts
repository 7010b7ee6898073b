import { operation } from '../../http/operation';
import { transferForm } from './form';

/** Beyond the contract: whoever waits wants to know for what. */
export const explainTransfer = operation({
  id: 'explainTransfer',
  method: 'get',
  path: '/wallets/:walletId/transfers/:transferId/explain',
  summary: 'Read what a transfer waits for',
  permission: 'Wallets:Transfers:Read',
  ...transferForm.explain,
});
