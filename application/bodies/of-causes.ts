import type { z } from 'zod';
import type { CauseId } from '../../domain/causes';
import { EmptyBody } from './empty';
import { DeriveKeyBody, ImportKeyBody, ImportWalletBody, KeyExportBody } from './keys';
import { SignatureBody, WalletSignatureBody } from './signatures';
import { TransactionBody } from './transactions';
import { TransferBody } from './transfers';

const BODIES = {
  transferAsset: TransferBody,
  cancelTransfer: EmptyBody,
  speedUpTransfer: EmptyBody,
  broadcastTransaction: TransactionBody,
  cancelTransaction: EmptyBody,
  speedUpTransaction: EmptyBody,
  walletsCancelSignature: EmptyBody,
  walletsGenerateSignature: WalletSignatureBody,
  keysGenerateSignature: SignatureBody,
  importKey: ImportKeyBody,
  importWallet: ImportWalletBody,
  exportKey: KeyExportBody,
  exportWallet: KeyExportBody,
  deriveKey: DeriveKeyBody,
} as const satisfies Record<CauseId, z.ZodType>;

export type BodyOf = { readonly [C in CauseId]: z.output<(typeof BODIES)[C]> };

export const CAUSE_BODIES: { readonly [C in CauseId]: z.ZodType<BodyOf[C]> } = BODIES;
