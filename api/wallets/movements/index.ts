import { getWalletHistory } from './get-wallet-history';
import { getWalletNfts } from './get-wallet-nfts';
import { listOrgWalletHistory } from './list-org-wallet-history';
import { listWalletBlockchainEvents } from './list-wallet-blockchain-events';

/** The router takes the first path that matches, so the path with `all` comes before the path with an id. */
export const movementOperations = [listOrgWalletHistory, getWalletHistory, getWalletNfts, listWalletBlockchainEvents];
