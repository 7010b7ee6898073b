import { z } from 'zod';
import { listedKeyId } from '../../../application/signatures';
import { signatureView } from '../../../application/views/signatures';
import { signatureStore } from '../../../entities/signatures/signature.store';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { SignatureRequestPage } from '../../signature-schemas';
import { WalletParams } from './schemas';

export const walletsListSignatures = operation({
  id: 'walletsListSignatures',
  method: 'get',
  path: '/wallets/:walletId/signatures',
  tag: 'wallets',
  summary: 'List the signature requests of a wallet, newest first',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Read',
  userAction: false,
  params: WalletParams,
  query: PageQuery,
  body: z.unknown(),
  response: SignatureRequestPage,
  handle: async ({ params: { walletId }, query, authority: { caller } }, services) => {
    const reader = services.db.read(caller.orgId);
    const after = afterOf(query.paginationToken);
    const [keyId, found] = await Promise.all([
      listedKeyId(reader, caller, { walletId }),
      signatureStore.page(reader, { walletId }, after, query.limit + 1),
    ]);
    const { rows, ...next } = pageOf(found, query.limit);
    return { items: rows.map(signatureView), keyId, ...next };
  },
});
