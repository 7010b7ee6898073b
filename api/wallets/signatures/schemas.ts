import { z } from 'zod';

export const WalletSignatureParams = z.object({ walletId: z.string().min(1).max(64), signatureId: z.string().min(1).max(64) });
