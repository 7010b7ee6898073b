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
    `Starts the workflow \`scanAddress\`; \`getWalletBackfill\` returns its progress. ${BACKFILL_WORDS} A second back-fill of the ` +
    'wallet, and a sixth of the organisation, causes 409 `Conflict`. A wallet for which no block was read yet causes 409 ' +
    '`WrongState`, and a network whose earlier blocks are not read 400 `NetworkNotEnabled`.',
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
