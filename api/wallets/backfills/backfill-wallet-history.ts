import { z } from 'zod';
import { backfillWallet } from '../../../application/backfills/request-backfill';
import { BACKFILL_WORDS, BackfillBody, rangeOf } from '../../backfill-schemas';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { WalletBackfill } from './schemas';

export const backfillWalletHistory = operation({
  id: 'backfillWalletHistory',
  method: 'post',
  path: '/wallets/:walletId/history/backfill',
  tag: 'wallets',
  summary: 'Read earlier blocks for the history of a wallet',
  description:
    `Starts the workflow \`scanAddress\`; \`getWalletBackfill\` returns its progress. ${BACKFILL_WORDS} The call returns ` +
    '409 `Conflict` while another back-fill of the wallet is running, or while five back-fills of the organisation are running. It ' +
    'returns 409 `WrongState` for a wallet that has no block read yet, and 400 `NetworkNotEnabled` for a network whose ' +
    'earlier blocks are not read.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Wallets:Update',
  userAction: true,
  params: WalletParams,
  query: z.strictObject({}),
  body: BackfillBody,
  response: WalletBackfill,
  handle: async ({ params: { walletId }, body, authority }, services) => {
    const { id: _, ...coverage } = await backfillWallet(services, authority, walletId, rangeOf(body));
    return { walletId, ...coverage };
  },
});
