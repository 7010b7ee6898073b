import { operation } from '../../http/operation';
import { transferForm } from './form';

/** Beyond the contract: callers need to know the reason for a wait. */
export const explainTransfer = operation({
  id: 'explainTransfer',
  method: 'get',
  path: '/wallets/:walletId/transfers/:transferId/explain',
  summary: 'Explain why a transfer waits',
  permission: 'Wallets:Transfers:Read',
  ...transferForm.explain,
});
