import { z } from 'zod';
import { Kind } from '../schemas';

export const Credential = z
  .object({
    kind: Kind,
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
