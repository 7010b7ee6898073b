import { z } from 'zod';
import { walletCoverage } from '../../../application/backfills/request-backfill';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { WalletBackfill } from './schemas';

export const getWalletBackfill = operation({
  id: 'getWalletBackfill',
  method: 'get',
  path: '/wallets/:walletId/history/backfill',
  tag: 'wallets',
  summary: 'Read from which block the history of a wallet is complete',
  description:
    'Returns the first block from which the history is complete, and the progress of the last back-fill. A back-fill that ended as ' +
    '`Gap` or `Stopped` left earlier blocks unread, and a further `backfillWalletHistory` continues at `nextBlock`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: WalletBackfill,
  handle: async ({ params: { walletId }, authority: { caller } }, { db }) => {
    const { id: _, ...coverage } = await walletCoverage(db.read(caller.orgId), caller, walletId);
    return { walletId, ...coverage };
  },
});
