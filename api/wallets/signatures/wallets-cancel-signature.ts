import { z } from 'zod';
import { EmptyBody } from '../../../application/bodies/empty';
import { transactionView } from '../../../application/outgoing/transaction-view';
import { cancelSignature } from '../../../application/signatures/cancel-signature';
import { operation } from '../../http/operation';
import { TransactionRequest } from '../transactions/schemas';
import { WalletSignatureParams } from './schemas';

/** Beyond the contract: a transaction that is signed but never sent would keep its claims for ever. */
export const walletsCancelSignature = operation({
  id: 'walletsCancelSignature',
  method: 'post',
  path: '/wallets/:walletId/signatures/:signatureId/cancel',
  tag: 'wallets',
  summary: 'Cancel a signed but unsent transaction by using up what it claimed, so that it can never confirm',
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
