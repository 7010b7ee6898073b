import { z } from 'zod';
import { NETWORK_NAMES } from '../domain/networks';
import { TRANSFER_STATUSES } from '../domain/transfers';
import { IsoDate } from './http/iso-date';

/** What both forms of request say about the members that they share. */
const REPLACEMENT_ID =
  'The request that was made to take the place of this one; of one that was made so, whose place it is to take';
const DETAILS =
  '`Constructed`: built, and with the signer. `Aborting`: the signer has been asked never to sign it. ' +
  '`EqualPayment`: it pays what `equalTo` pays, and fails at `until` unless somebody confirms that it is meant besides. ' +
  '`madeByService`: nobody asked for it; `requester` is who asked for what it helps, on whose grounds it is signed. ' +
  '`cancelsSignature`: the signature whose transaction this one takes the place of, because its caller does not send it. ' +
  '`paysFor`: the transaction whose change this one spends for a fee that brings both into a block; `paidForBy`: the same seen from there. ' +
  '`withheldUnits`: what the token keeps back of the amount, so that the recipient gets that much less: Solana. ' +
  '`feeCurrency`: the token that pays `fee` in place of the native coin, counted in units of 10^-18 of it: Celo. ' +
  '`amountMoved`: of a token that hides amounts nobody else can tell how much a transfer has moved, nothing included, although it is Confirmed; ' +
  '`encryptedAmount`: the ciphertext that stands for the amount';
const Details = z
  .object({
    stage: z.enum(['Constructed', 'Aborting', 'EqualPayment']).optional(),
    equalTo: z.string().optional(),
    until: z.iso.datetime().optional(),
    madeByService: z.literal(true).optional(),
    cancelsSignature: z.string().optional(),
    paysFor: z.string().optional(),
    paidForBy: z.string().optional(),
    withheldUnits: z.string().optional(),
    feeCurrency: z.string().optional(),
    amountMoved: z.literal('Unknown').optional(),
    encryptedAmount: z.string().optional(),
  })
  .describe(DETAILS);

/** The members that both forms of request have, in the order in which they are shown: a form's own stand between the groups. */
export const askedMembers = {
  id: z.string(),
  walletId: z.string(),
  network: z.enum(NETWORK_NAMES),
  requester: z.object({ userId: z.string(), tokenId: z.string().optional() }),
};
export const progressMembers = {
  status: z.enum(TRANSFER_STATUSES),
  reason: z.string().optional(),
  txHash: z.string().optional(),
  fee: z.string().optional(),
  dateRequested: IsoDate,
  datePolicyResolved: IsoDate.optional(),
  dateBroadcasted: IsoDate.optional(),
  dateConfirmed: IsoDate.optional(),
  approvalId: z.string().optional(),
  externalId: z.string().optional(),
};
export const replacementMembers = {
  replacementId: z.string().optional().describe(REPLACEMENT_ID),
  details: Details.optional(),
};
