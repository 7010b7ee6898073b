import { z } from 'zod';
import { NETWORK_NAMES } from '../domain/networks';
import { TRANSFER_STATUSES } from '../domain/transfers';
import { FAMILY_DETAILS, FAMILY_DETAILS_SAY } from './families';
import { IsoDate } from './http/iso-date';

/** Descriptions of the members that both forms of request share. */
const REPLACEMENT_ID = 'The request that replaces this one; for a replacement, the request that it replaces';
const DETAILS =
  '`Constructed`: built and handed to the signer. `Aborting`: the signer has been asked never to sign it. ' +
  '`EqualPayment`: it looks like a duplicate of `equalTo` and fails at `until` unless it is confirmed. ' +
  '`madeByService`: the service made it to help another request, on whose grounds it is signed; `requester` is the requester of that one. ' +
  '`cancelsSignature`: the signature whose transaction this one replaces, because its caller does not send it. ' +
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

/** Members of both forms of request, in the order shown; the members of a single form go between the groups. */
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
