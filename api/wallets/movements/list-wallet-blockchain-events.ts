import { z } from 'zod';
import { chainEventsOf } from '../../../application/movements/chain-events';
import { walletOf } from '../../../application/wallets/wallets';
import { operation } from '../../http/operation';
import { afterOf, tokenAfter } from '../../http/pagination';
import { BlockchainEventQuery } from '../../movement-schemas';
import { WalletParams } from '../../wallet-schemas';
import { WalletEvents } from './schemas';

export const listWalletBlockchainEvents = operation({
  id: 'listWalletBlockchainEvents',
  method: 'get',
  path: '/wallets/:walletId/blockchain-events',
  tag: 'wallets',
  summary: 'List the events in blocks that concern a wallet, newest first',
  description:
    'Returns the movements that `getWalletHistory` shows, each as the event that reports it: the log of a token, or a transfer ' +
    'of the native asset. A transfer from the wallet to itself is one event for each direction. On EVM networks the list also ' +
    "contains other logs with the wallet's address as an argument, such as `Approval` or `TransferSingle` (ERC-1155), if the " +
    'registry contains a schema of the contract or the event is well known. Any contract can emit any log. The call returns ' +
    '404 `NotFound` if the tier of the network does not include history; if the service does not read its blocks, the call ' +
    'returns 400 `NetworkNotEnabled`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: BlockchainEventQuery,
  body: z.unknown(),
  response: WalletEvents,
  handle: async ({ params: { walletId }, query: { limit, paginationToken, ...filter }, authority: { caller } }, { db }) => {
    const reader = db.read(caller.orgId);
    const { wallet } = await walletOf(reader, caller, walletId);
    const asked = { ...filter, after: afterOf(paginationToken) };
    const { network, events, after } = await chainEventsOf(reader, wallet, 'Wallets', asked, limit);
    return {
      ...{ items: events.map((event) => ({ walletId, network, ...event })), walletId, network },
      ...(after === undefined ? {} : { nextPageToken: tokenAfter(after) }),
    };
  },
});
