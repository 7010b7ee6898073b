import { z } from 'zod';

export const KeyParams = z.object({ keyId: z.string().min(1).max(64) });
export const SignatureParams = z.object({ keyId: z.string().min(1).max(64), signatureId: z.string().min(1).max(64) });
