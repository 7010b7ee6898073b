import { createWallet } from './create-wallet';
import { getWallet } from './get-wallet';
import { getWalletAssets } from './get-wallet-assets';
import { listWallets } from './list-wallets';
import { tagWallet } from './tag-wallet';
import { untagWallet } from './untag-wallet';
import { updateWallet } from './update-wallet';

export const walletOperations = [createWallet, listWallets, getWallet, updateWallet, tagWallet, untagWallet, getWalletAssets];
