import { z } from 'zod';
import { WalletNetwork } from '../application/bodies/key-members';
import { SignatureBody } from '../application/bodies/signatures';
import { SIGNATURE_STATUSES } from '../domain/signatures';
import { IsoDate } from './http/iso-date';
import { bodyAsSent } from './http/snapshots';

const SignatureValue = z
  .object({ r: z.string(), s: z.string(), recid: z.number().int().optional(), encoded: z.string().optional() })
  .meta({ id: 'SignatureValue' });

/** Rows hold the name as text; responses are limited to the list. */
const NetworkName = z.string().pipe(WalletNetwork);

const request = {
  id: z.string(),
  keyId: z.string(),
  requester: z.object({ userId: z.string(), tokenId: z.string().optional() }),
  requestBody: bodyAsSent(SignatureBody),
  status: z.enum(SIGNATURE_STATUSES).meta({ id: 'SignatureStatus' }),
  reason: z.string().optional(),
  signature: SignatureValue.optional(),
  signatures: z.array(SignatureValue).optional(),
  signedData: z.string().optional(),
  network: NetworkName.optional(),
  txHash: z.string().optional(),
  details: z
    .object({
      transaction: z.string().optional(),
      cancelledBy: z.string().optional(),
      feeCeiling: z.string().optional(),
      lapsesAt: z.string().optional(),
    })
    .optional()
    .describe(
      '`transaction`: for a fully signed PSBT, the transaction as 0x-hex, as nodes accept it. ' +
        '`cancelledBy`: the transaction that is to use up what this one has claimed; its own status says whether it has. ' +
        '`feeCeiling`: for a transaction whose nonce, gas or price is filled in, the maximum fee in smallest units. ' +
        '`lapsesAt`: the time before which it must be sent; afterwards the service uses up the nonce.',
    ),
  approvalId: z.string().optional(),
  dateRequested: IsoDate,
  datePolicyResolved: IsoDate.optional(),
  dateSigned: IsoDate.optional(),
  dateConfirmed: IsoDate.optional(),
  externalId: z.string().optional(),
};

/** A signature request, as returned by several areas. */
export const SignatureRequest = z.object(request).meta({ id: 'SignatureRequest' });
export const WalletSignatureRequest = z
  .object({ ...request, network: NetworkName, walletId: z.string() })
  .meta({ id: 'WalletSignatureRequest' });

/** A signature request in approvals and events, which includes its wallet if it was requested through one. */
export const SignatureRequestSnapshot = z
  .object({ ...request, walletId: z.string().optional() })
  .meta({ id: 'SignatureRequestSnapshot' });

export const SignatureRequestPage = z
  .object({ items: z.array(SignatureRequest), nextPageToken: z.string().optional(), keyId: z.string() })
  .meta({ id: 'SignatureRequestPage' });
