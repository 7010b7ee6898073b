import { z } from 'zod';
import { shownTransfers } from '../../../application/travel-rules/payloads';
import { assertVisibleWallet } from '../../../application/wallets/wallets';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { walletStore } from '../../../entities/wallets/wallet.store';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { WalletParams } from '../../wallet-schemas';
import { TransferPage } from './schemas';

export const listTransfers = operation({
  id: 'listTransfers',
  method: 'get',
  path: '/wallets/:walletId/transfers',
  tag: 'wallets',
  summary: 'List the transfers of a wallet, newest first',
  description:
    'Returns the transfers with any status; an end user sees only the transfers of their own wallets (404 `NotFound` for any ' +
    'other wallet). `requestBody` contains the travel rule data of a transfer, which events and approvals leave out.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Read',
  userAction: false,
  params: WalletParams,
  query: PageQuery,
  body: z.unknown(),
  response: TransferPage,
  ahead: async (reader, { params: { walletId }, query }) => {
    const after = afterOf(query.paginationToken);
    const [access, found] = await Promise.all([
      walletStore.access(reader, walletId),
      outgoingStore.page(reader, { walletId, form: 'Transfer', after }, query.limit + 1),
    ]);
    return { access, found };
  },
  handle: async ({ params, query, authority: { caller }, ahead: { access, found } }, { db, travelRuleSecrets }) => {
    assertVisibleWallet(caller, params.walletId, access);
    const { rows, ...next } = pageOf(found, query.limit);
    const items = await shownTransfers({ travelRuleSecrets, orgId: caller.orgId, reader: db.read(caller.orgId) }, rows);
    return { items, walletId: params.walletId, ...next };
  },
});
