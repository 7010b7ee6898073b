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
