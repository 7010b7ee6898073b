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
    `Starts the workflow \`scanAddress\`; \`getWalletBackfill\` returns its progress. ${BACKFILL_WORDS} The call returns 409 ` +
    '`Conflict` while another back-fill of the wallet is running, or while five back-fills of the organisation are running. It ' +
    'returns 409 `WrongState` if no block has been read for the wallet yet, and 400 `NetworkNotEnabled` if the service does ' +
    'not read earlier blocks of the network.',
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
