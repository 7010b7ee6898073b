import { z } from 'zod';
import { Curve, Scheme, WalletNetwork } from '../application/bodies/key-members';
import { IsoDate } from './http/iso-date';

/** A wallet, as returned by several areas. */
export const Wallet = z
  .object({
    id: z.string(),
    network: WalletNetwork,
    address: z.string().optional(),
    signingKey: z.object({
      id: z.string(),
      scheme: Scheme,
      curve: Curve,
      publicKey: z.string(),
      delegatedTo: z.string().optional(),
    }),
    status: z.enum(['Active', 'Inactive', 'Archived']),
    dateCreated: IsoDate,
    dateDeleted: IsoDate.optional(),
    name: z.string().optional(),
    custodial: z.boolean(),
    externalId: z.string().optional(),
    tags: z.array(z.string()),
  })
  .meta({ id: 'Wallet' });

export const WalletParams = z.object({ walletId: z.string().min(1).max(64) });
