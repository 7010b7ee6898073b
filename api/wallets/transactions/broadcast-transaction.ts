import { z } from 'zod';
import { TransactionBody } from '../../../application/bodies/transactions';
import { requestTransaction } from '../../../application/outgoing/request-transaction';
import { transactionView } from '../../../application/outgoing/transaction-view';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { TransactionRequest } from './schemas';

export const broadcastTransaction = operation({
  id: 'broadcastTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions',
  tag: 'wallets',
  summary: 'Sign a transaction and send it to the network',
  description:
    'Records the transaction, which the policies then judge by the decoded effect of its bytes, and waits up to 15 seconds ' +
    'until the transaction is `Broadcasted`, is `Pending` for an approval (`approvalId`) or as a possible duplicate, waits for ' +
    'an offline device, or has ended; the status is 200 in every case. Rules about amounts and recipients trigger for ' +
    'an effect that cannot be ' +
    'determined; the workflow `transfer` fills in the nonce, gas and price that a cleared EVM transaction omits, signs and ' +
    'sends the transaction, and ends it as `Confirmed`, as `Failed` with a `reason`, or as `Rejected`. If an earlier ' +
    'transaction has the same `externalId`, the call returns that transaction if the bodies are equal; it returns 409 ' +
    '`Conflict` if the bodies differ, or if another open request has reserved the nonce or a coin. For a fault that is visible ' +
    "at once, the call returns 400 with the path of the field: a used nonce, a nonce gap, a fee above the network's ceiling, a " +
    'wrong chain or sender (`InvalidRequest`), a balance that is too low (`TransferWouldFail`); during a freeze it returns 409 ' +
    '`TargetFrozen`. Emits `wallet.transaction.requested`, then `wallet.transaction.broadcasted` and ' +
    '`wallet.transaction.confirmed`, or `wallet.transaction.failed`, `wallet.transaction.rejected` and, after a deep ' +
    'reorganisation, `wallet.transaction.reversed`; a policy that stops the transaction also emits `policy.triggered` and ' +
    '`policy.activity.resolved`, and an approval also emits `policy.approval.pending` and `policy.approval.resolved`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Create',
  furtherPermissions: (body) => ('feeSponsorId' in body ? ['FeeSponsors:Use'] : []),
  furtherPermissionNames: ['FeeSponsors:Use'],
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: TransactionBody,
  response: TransactionRequest,
  handle: async ({ params, body, authority }, services) =>
    transactionView(await requestTransaction(services, authority, params.walletId, body)),
});
