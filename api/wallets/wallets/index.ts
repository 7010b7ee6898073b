import { createWallet } from './create-wallet';
import { delegateWallet } from './delegate-wallet';
import { exportWallet } from './export-wallet';
import { getWallet } from './get-wallet';
import { getWalletAssets } from './get-wallet-assets';
import { getWalletAttestation } from './get-wallet-attestation';
import { importWallet } from './import-wallet';
import { listWallets } from './list-wallets';
import { tagWallet } from './tag-wallet';
import { untagWallet } from './untag-wallet';
import { updateWallet } from './update-wallet';

export const walletOperations = [
  createWallet,
  listWallets,
  importWallet,
  getWallet,
  updateWallet,
  tagWallet,
  untagWallet,
  getWalletAssets,
  getWalletAttestation,
  delegateWallet,
  exportWallet,
];
