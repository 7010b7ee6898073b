import { z } from 'zod';

export const WalletParams = z.object({ walletId: z.string().min(1).max(64) });
export const SignatureParams = z.object({ walletId: z.string().min(1).max(64), signatureId: z.string().min(1).max(64) });
