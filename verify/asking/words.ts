import type { CharterRequestKind } from '../../domain/charter-requests';
import type { Asking, AskingWords } from './asking';
import { releaseWords, removalWords } from './member-words';
import { archivePolicyWords, createPolicyWords, updatePolicyWords } from './policy-change-words';
import { deriveWords, exportWords } from './secret-words';
import { keySignatureWords, walletSignatureWords } from './signature-words';
import { transactionWords } from './transaction-words';
import { transferWords } from './transfer-words';
import { createWalletWords, tagWalletWords, untagWalletWords } from './wallet-change-words';

/** The functions that describe a request on the basis of the charter that the person trusts. Each may throw `NotVerified`. */
export const ASKING_WORDS: { readonly [K in CharterRequestKind]: (asking: Asking) => AskingWords } = {
  transferAsset: transferWords,
  broadcastTransaction: transactionWords,
  walletsGenerateSignature: walletSignatureWords,
  keysGenerateSignature: keySignatureWords,
  releaseFreeze: releaseWords,
  exportKey: exportWords,
  exportWallet: exportWords,
  deriveKey: deriveWords,
  createWallet: createWalletWords,
  tagWallet: tagWalletWords,
  untagWallet: untagWalletWords,
  createPolicy: createPolicyWords,
  updatePolicy: updatePolicyWords,
  archivePolicy: archivePolicyWords,
  deactivateUser: removalWords,
  archiveUser: removalWords,
  deactivateServiceAccount: removalWords,
  archiveServiceAccount: removalWords,
};
