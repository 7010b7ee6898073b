import { z } from 'zod';
import { EmptyBody } from '../../../application/bodies/empty';
import { transactionView } from '../../../application/outgoing/transaction-view';
import { cancelSignature } from '../../../application/signatures/cancel-signature';
import { operation } from '../../http/operation';
import { TransactionRequest } from '../transactions/schemas';
import { WalletSignatureParams } from './schemas';

/** Beyond the contract: what is signed and never sent would keep what it has claimed for ever. */
export const walletsCancelSignature = operation({
  id: 'walletsCancelSignature',
  method: 'post',
  path: '/wallets/:walletId/signatures/:signatureId/cancel',
  tag: 'wallets',
  summary: 'Use up what a signed transaction that nobody sends has claimed, so that it can never go through',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Create',
  // What somebody may not see is not theirs to undo.
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
