import { operation } from '../../http/operation';
import { transferForm } from './form';

/** An addition to the published interface: callers need the operation to learn why a request waits. */
export const explainTransfer = operation({
  id: 'explainTransfer',
  method: 'get',
  path: '/wallets/:walletId/transfers/:transferId/explain',
  summary: 'Explain why a transfer waits',
  permission: 'Wallets:Transfers:Read',
  ...transferForm.explain,
});
