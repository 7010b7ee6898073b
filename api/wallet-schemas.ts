import { z } from 'zod';
import { Curve, Scheme, WalletNetwork } from '../application/bodies/key-members';
import { IsoDate } from './http/iso-date';
import { Custodial, PublicKeyHex } from './key-schemas';

export const Wallet = z
  .object({
    id: z.string(),
    network: WalletNetwork,
    address: z
      .string()
      .optional()
      .describe('In the canonical spelling of its network; absent on a network whose wallets only sign'),
    signingKey: z
      .object({
        id: z.string(),
        scheme: Scheme,
        curve: Curve,
        publicKey: PublicKeyHex,
        delegatedTo: z.string().optional().describe('ID of the end user to whom the key is delegated'),
      })
      .describe('The key that signs for the wallet'),
    status: z
      .enum(['Active', 'Inactive', 'Archived'])
      .describe('`Archived` if its key was deleted. `Inactive` belongs to the published interface and does not occur here'),
    dateCreated: IsoDate,
    dateDeleted: IsoDate.optional().describe('When the wallet was archived'),
    name: z.string().optional(),
    custodial: Custodial,
    externalId: z
      .string()
      .optional()
      .describe('The ID that the caller chose for the wallet, unique among the wallets of the organisation'),
    tags: z.array(z.string()).describe('In alphabetical order'),
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .describe("The caller's own texts by key; absent if the wallet has no metadata"),
  })
  .meta({ id: 'Wallet' });

/** Whether symbol and decimals come from our record of the network. */
export const Verified = z
  .boolean()
  .optional()
  .describe("True for the native asset and for a token of the network's record; false for any other token");

export const WalletParams = z.object({ walletId: z.string().min(1).max(64).describe('ID of the wallet') });
