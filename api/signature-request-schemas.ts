import { z } from 'zod';
import { WalletNetwork } from '../application/bodies/key-members';
import { SignatureBody } from '../application/bodies/signatures';
import { SIGNATURE_STATUSES } from '../domain/signatures';
import { IsoDate } from './http/iso-date';
import { NextPageToken } from './http/pagination';
import { bodyAsSent } from './http/snapshots';
import { Requester } from './requester-schemas';

const SignatureValue = z
  .object({
    r: z.string().describe('32 bytes as 0x-hex'),
    s: z.string().describe('32 bytes as 0x-hex; for ECDSA in the lower half of the order'),
    recid: z.number().int().optional().describe('Recovery ID, 0 or 1: for ECDSA on secp256k1'),
    encoded: z
      .string()
      .optional()
      .describe(
        '`r` and `s` together as 0x-hex; for ECDSA on secp256k1 followed by one byte: 27 or 28 for a personal message and typed data, ' +
          'otherwise the recovery ID',
      ),
  })
  .meta({ id: 'SignatureValue' });

/** Rows store the name as free text, but a response may contain only the names that `WalletNetwork` accepts. */
const NetworkName = z.string().pipe(WalletNetwork);

const SignatureDetails = z
  .object({
    transaction: z.string().optional().describe('For a fully signed PSBT: the transaction as 0x-hex, as nodes accept it'),
    cancelledBy: z
      .string()
      .optional()
      .describe(
        'The latest transaction that was made to use up the nonce or coins reserved for this request; the status of that ' +
          'transaction shows whether they are used up',
      ),
    feeCeiling: z
      .string()
      .optional()
      .describe('For a transaction whose nonce, gas or price is filled in: the maximum fee in smallest units'),
    lapsesAt: z
      .string()
      .optional()
      .describe('The time (ISO 8601) before which the transaction must be sent; afterwards the service uses up its nonce'),
  })
  .meta({ id: 'SignatureDetails' });

const request = {
  id: z.string(),
  keyId: z.string(),
  requester: Requester,
  requestBody: bodyAsSent(SignatureBody),
  status: z.enum(SIGNATURE_STATUSES).meta({
    id: 'SignatureStatus',
    description:
      '`Pending`: waits for policies or approvers. `Executing`: cleared and on its way to the signer. `Signed`: the signature is available. ' +
      'Final without a signature: `Failed`, and `Rejected` by a policy or an approver. `Confirmed`: the signed transaction is final in a block that ' +
      'the service has read; a transaction that reverted there has a `reason`',
  }),
  reason: z
    .string()
    .optional()
    .describe(
      'Why the request failed or was rejected, as text for people; with the status `Confirmed` it states that the transaction ' +
        'reverted',
    ),
  signature: SignatureValue.optional().describe('The first of `signatures`'),
  signatures: z
    .array(SignatureValue)
    .optional()
    .describe(
      'One signature for most kinds; several for the inputs of a PSBT, and for calls of an account with an authorization',
    ),
  signedData: z
    .string()
    .optional()
    .describe(
      'The signed content, ready for use: the transaction, the PSBT or the entry of an authorization list as 0x-hex, a BIP-322 ' +
        'proof as base64 with its prefix. Absent for all other content',
    ),
  network: NetworkName.optional().describe('The network of the wallet, or the network that the body specifies'),
  txHash: z.string().optional().describe('ID of the signed transaction, once it is fully signed'),
  fee: z
    .string()
    .optional()
    .describe(
      'The fee that a wallet paid for the confirmed transaction, in smallest units of the native asset; absent if another party paid, or if the fee was paid in a token',
    ),
  details: SignatureDetails.optional(),
  approvalId: z.string().optional().describe('The latest approval that the request waited for'),
  dateRequested: IsoDate,
  datePolicyResolved: IsoDate.optional().describe('When policies and approvers cleared or rejected the request'),
  dateSigned: IsoDate.optional(),
  dateConfirmed: IsoDate.optional().describe('When the service found the transaction final'),
  externalId: z
    .string()
    .optional()
    .describe('The ID that the caller chose for the request, unique among the signature requests of the organisation'),
};

export const SignatureId = z.string().min(1).max(64).describe('ID of the signature request');

export const SignatureRequest = z.object(request).meta({ id: 'SignatureRequest' });
export const WalletSignatureRequest = z
  .object({ ...request, network: NetworkName, walletId: z.string() })
  .meta({ id: 'WalletSignatureRequest' });

/** For approvals and events. `walletId` is present if the signature was requested through a wallet. */
export const SignatureRequestSnapshot = z
  .object({ ...request, walletId: z.string().optional() })
  .meta({ id: 'SignatureRequestSnapshot' });

export const SignatureRequestPage = z
  .object({
    items: z.array(SignatureRequest),
    nextPageToken: NextPageToken,
    keyId: z.string().describe('The key whose requests are listed, or the key of the wallet whose requests are listed'),
  })
  .meta({ id: 'SignatureRequestPage' });
