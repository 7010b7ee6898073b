import { z } from 'zod';

export const KeySignatureParams = z.object({ keyId: z.string().min(1).max(64), signatureId: z.string().min(1).max(64) });
