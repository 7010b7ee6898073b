import { z } from 'zod';
import { TransferBody } from '../../../application/bodies/transfers';
import { requestTransfer } from '../../../application/outgoing/request-transfer';
import { shownTransfer } from '../../../application/travel-rules/payloads';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { TransferRequest } from './schemas';

export const transferAsset = operation({
  id: 'transferAsset',
  method: 'post',
  path: '/wallets/:walletId/transfers',
  tag: 'wallets',
  summary: 'Transfer an asset from a wallet',
  description:
    'Requests a transfer and waits up to 15 seconds until the transfer is `Broadcasted`, is `Pending` with an `approvalId` or ' +
    'as a possible duplicate, waits for an offline device, or has a final status. The policies judge the transfer; once ' +
    'it is cleared, the workflow ' +
    '`transfer` signs and broadcasts it, and ends it as `Confirmed` when it is final by the rule of its network, as `Failed` ' +
    'with a `reason`, or as `Rejected`. If an earlier transfer has the same `externalId`, the call returns that transfer if ' +
    'the bodies are equal, and 409 `Conflict` if they differ; without an `externalId`, a repeated request pays again, unless ' +
    "the organisation's setting `equalPaymentHoldMinutes` holds the request. A request with a fault that is visible at once is " +
    'refused and not recorded: 400 `InvalidAddress`, `AssetNotSupported` or `TransferWouldFail`, 403 `Forbidden` for a key ' +
    'that is delegated to another user, 409 `TargetFrozen`, `WrongState` or `PaidBeforeRestore`; if a policy blocks a ' +
    'sponsored transfer, the transfer is recorded as `Rejected` and the call returns 400 `SponsoredBlocked`. Emits ' +
    '`wallet.transfer.requested`, then `wallet.transfer.broadcasted` and `wallet.transfer.confirmed`, or ' +
    '`wallet.transfer.failed`, `wallet.transfer.rejected` and, after a deep reorganisation, `wallet.transfer.reversed`; a ' +
    'policy that stops the transfer also emits `policy.triggered` and `policy.activity.resolved`, and an approval also emits ' +
    '`policy.approval.pending` and `policy.approval.resolved`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Create',
  furtherPermissions: (body) => ('feeSponsorId' in body && body.feeSponsorId !== undefined ? ['FeeSponsors:Use'] : []),
  furtherPermissionNames: ['FeeSponsors:Use'],
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: TransferBody,
  response: TransferRequest,
  handle: async ({ params, body, authority }, services) => {
    const row = await requestTransfer(services, authority, params.walletId, body);
    const { orgId } = authority.caller;
    return shownTransfer({ ...services, orgId, reader: services.db.read(orgId) }, row);
  },
});
