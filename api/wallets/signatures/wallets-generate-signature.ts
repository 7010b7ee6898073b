import { z } from 'zod';
import { WalletSignatureBody } from '../../../application/bodies/signatures';
import { requestSignature } from '../../../application/signatures/request-signature';
import { signatureView } from '../../../application/signatures/view';
import { invariant } from '../../../domain/errors';
import { operation } from '../../http/operation';
import { WalletSignatureRequest } from '../../signature-request-schemas';
import { WalletParams } from '../../wallet-schemas';

export const walletsGenerateSignature = operation({
  id: 'walletsGenerateSignature',
  method: 'post',
  path: '/wallets/:walletId/signatures',
  tag: 'wallets',
  summary: 'Sign with the key of a wallet',
  description:
    'Replaced by `keysGenerateSignature`; this operation signs with the key of the wallet for the network of the wallet, and ' +
    '`network` in the body must not differ from that network. The call waits up to 15 seconds and returns the request as ' +
    '`Signed`, as `Pending` with an `approvalId` while it waits for approval, as `Executing` while it waits for an ' +
    'offline device, or at its end; the workflow `signature` ' +
    'continues. If an earlier request has the same `externalId`, the call returns that request if the bodies are equal, and ' +
    '409 `Conflict` if they differ. Emits `wallet.signature.requested` and then `wallet.signature.signed`, ' +
    '`wallet.signature.failed` or `wallet.signature.rejected`; a policy that stops the request also emits `policy.triggered` ' +
    'and `policy.activity.resolved`, and an approval also emits `policy.approval.pending` and `policy.approval.resolved`. The ' +
    'call returns 403 `Forbidden` if the key is delegated to another user, and 409 `WrongState` if the wallet is archived or ' +
    'the key was exported; during a freeze it returns 409 `TargetFrozen`.',
  deprecated: true,
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Create',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: WalletSignatureBody,
  response: WalletSignatureRequest,
  handle: async ({ params: { walletId }, body, authority }, services) => {
    const row = await requestSignature(services, authority, { walletId }, body);
    const { network } = row;
    invariant(network !== null, 'a wallet has a network');
    return { ...signatureView(row), network, walletId };
  },
});
