import { z } from 'zod';
import { EmptyBody } from '../../../application/bodies/empty';
import { transactionView } from '../../../application/outgoing/transaction-view';
import { cancelSignature } from '../../../application/signatures/cancel-signature';
import { operation } from '../../http/operation';
import { TransactionRequest } from '../transactions/schemas';
import { WalletSignatureParams } from './schemas';

/**
 * An addition to the published interface: a transaction that is signed and never sent would otherwise keep its nonce or coins
 * reserved for ever.
 */
export const walletsCancelSignature = operation({
  id: 'walletsCancelSignature',
  method: 'post',
  path: '/wallets/:walletId/signatures/:signatureId/cancel',
  tag: 'wallets',
  summary: 'Cancel a signed but unsent transaction by using up its nonce or coins',
  description:
    'Records a transaction of the wallet to itself that uses up the nonce, the durable nonce or the coins of the signed ' +
    'transaction for a higher fee, and returns this transaction; the signature may have been requested through the wallet or ' +
    'through its key. Policies judge it like any transaction of the wallet, so it may wait for approval; the call waits up to ' +
    '15 seconds, and then the workflow `transfer` continues. The holder of the signature can still send the signed ' +
    'transaction: only one of the two transactions confirms, and the other never does. The call returns 409 `WrongState` if ' +
    'the request is not `Signed`, has no reserved nonce or coins, or is already being cancelled. Emits ' +
    '`wallet.transaction.requested`, then `wallet.transaction.broadcasted` and `wallet.transaction.confirmed`, or ' +
    '`wallet.transaction.failed` or `wallet.transaction.rejected`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Create',
  // A caller who may not see the signature may not cancel it.
  furtherPermissionNames: ['Keys:Signatures:Read'],
  furtherPermissions: () => ['Keys:Signatures:Read'],
  userAction: true,
  params: WalletSignatureParams,
  query: z.object({}),
  body: EmptyBody,
  response: TransactionRequest,
  handle: async ({ params: { walletId, signatureId }, authority }, services) =>
    transactionView(await cancelSignature(services, authority, walletId, signatureId)),
});
