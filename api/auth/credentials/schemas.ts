import { z } from 'zod';

export const Credential = z
  .object({
    kind: z.enum(['Key']),
    credentialId: z.string(),
    credentialUuid: z.string(),
    dateCreated: z.iso.datetime(),
    isActive: z.boolean(),
    name: z.string(),
    publicKey: z.string(),
    relyingPartyId: z.string(),
    origin: z.string(),
  })
  .meta({ id: 'Credential' });
