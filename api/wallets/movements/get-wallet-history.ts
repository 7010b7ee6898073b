import { z } from 'zod';
import { pageKeyOf, walletHistory } from '../../../application/movements/history';
import { movementView } from '../../../application/movements/view';
import { balanceSweepStore } from '../../../entities/scans/balance-sweep.store';
import { Warned } from '../../http/answer';
import { operation } from '../../http/operation';
import { afterOf, tokenAfter } from '../../http/pagination';
import { WalletParams } from '../../wallet-schemas';
import { HistoryQuery, WalletHistory } from './schemas';

export const getWalletHistory = operation({
  id: 'getWalletHistory',
  method: 'get',
  path: '/wallets/:walletId/history',
  tag: 'wallets',
  summary: 'List the movements into and out of a wallet, newest first',
  description:
    'Returns each movement of an asset that a block reports, from the block at which the service began to read for the wallet; ' +
    'a movement that a reorganisation has removed is left out. A transaction that the wallet sent appears as a movement even ' +
    'if it transferred no value, because the wallet paid the fee. An asset with `verified: false` may be worthless or imitate ' +
    'another asset. The call returns 404 `NotFound` if the tier of the network does not include history, and 400 ' +
    '`NetworkNotEnabled` if the service does not read its blocks. If a balance has differed from the movements, a movement may ' +
    'be missing, and the header `strongroom-warning` reports this.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: HistoryQuery,
  body: z.unknown(),
  response: WalletHistory,
  handle: async ({ params: { walletId }, query, authority: { caller } }, { db }) => {
    const { limit, paginationToken, ...filter } = query;
    const asked = { ...filter, after: afterOf(paginationToken) };
    const { network, rows } = await walletHistory(db.read(caller.orgId), caller, walletId, asked, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const differences = await balanceSweepStore.summaryOf(db.read(caller.orgId), walletId);
    const history = {
      ...{ items: page.map(movementView), walletId, network },
      ...(rows.length > limit && last ? { nextPageToken: tokenAfter(pageKeyOf(last)) } : {}),
    };
    return differences ? new Warned(history, unexplained(differences)) : history;
  },
});

const unexplained = ({ count, lastHeight }: { readonly count: number; readonly lastHeight: number }) =>
  `Unexplained: ${count} differences between balances and movements, the last one up to block ${lastHeight}`;
