import { z } from 'zod';
import { NETWORK_NAMES } from '../domain/networks';
import { TRANSFER_STATUSES } from '../domain/transfers';
import { FAMILY_DETAILS, FAMILY_DETAILS_SAY } from './families';
import { IsoDate } from './http/iso-date';

/** What both forms of request say about the members that they share. */
const REPLACEMENT_ID =
  'The request that was made to take the place of this one; of one that was made so, whose place it is to take';
const DETAILS =
  '`Constructed`: built, and with the signer. `Aborting`: the signer has been asked never to sign it. ' +
  '`EqualPayment`: it pays what `equalTo` pays, and fails at `until` unless somebody confirms that it is meant besides. ' +
  '`madeByService`: nobody asked for it; `requester` is who asked for what it helps, on whose grounds it is signed. ' +
  '`cancelsSignature`: the signature whose transaction this one takes the place of, because its caller does not send it. ' +
  FAMILY_DETAILS_SAY;
const Details = z
  .object({
    stage: z.enum(['Constructed', 'Aborting', 'EqualPayment']).optional(),
    equalTo: z.string().optional(),
    until: z.iso.datetime().optional(),
    madeByService: z.literal(true).optional(),
    cancelsSignature: z.string().optional(),
    ...FAMILY_DETAILS,
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
