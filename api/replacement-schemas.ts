import { z } from 'zod';
import { NETWORK_NAMES } from '../domain/networks';
import { TRANSFER_STATUSES } from '../domain/transfers';
import { FAMILY_DETAILS, FAMILY_DETAILS_SAY } from './families';
import { IsoDate } from './http/iso-date';
import { Requester } from './requester-schemas';

/** Transfers and transactions share these descriptions. */
const STATUS =
  '`Pending`: waits for policies, vendors, approvers or the confirmation of a possible duplicate. `Executing`: cleared, until the signed ' +
  'transaction is sent. `Broadcasted`: sent to the network. The others are final: `Confirmed`, `Failed`, and `Rejected` by a policy or an approver';
const REPLACEMENT_ID = 'The request that replaces this one; for a replacement, the request that it replaces';
const STAGE =
  '`Constructed`: built and sent to the signer. `Aborting`: the service has requested that the signer never sign the request. ' +
  '`EqualPayment`: the request looks like a duplicate of `equalTo` and fails at `until` unless it is confirmed';
const BY_SERVICE =
  'The service made this request to help another request, and the signature rests on the authority of that request; ' +
  '`requester` is the requester of that request';
const Details = z
  .object({
    stage: z.enum(['Constructed', 'Aborting', 'EqualPayment']).optional().describe(STAGE),
    equalTo: z.string().optional().describe('The earlier request that this request seems to duplicate'),
    until: z.iso.datetime().optional().describe('When the request fails unless it is confirmed'),
    madeByService: z.literal(true).optional().describe(BY_SERVICE),
    cancelsSignature: z
      .string()
      .optional()
      .describe(
        'The signature request whose transaction this transaction replaces, because the caller did not send the signed ' +
          'transaction',
      ),
    ...FAMILY_DETAILS,
  })
  .meta({ id: 'RequestDetails', description: FAMILY_DETAILS_SAY });

/** The shared members in three groups, in the order of a response. A response has further members between the groups. */
export const askedMembers = {
  id: z.string(),
  walletId: z.string(),
  network: z.enum(NETWORK_NAMES),
  requester: Requester,
};
export const progressMembers = {
  status: z.enum(TRANSFER_STATUSES).describe(STATUS),
  reason: z.string().optional().describe('Why the request failed or was rejected, as text for people'),
  txHash: z.string().optional().describe('ID of the transaction on its network'),
  fee: z
    .string()
    .optional()
    .describe(
      'The fee paid, in smallest units of the native asset, or of the token that `details` specifies; present once the ' +
        'transaction is final',
    ),
  dateRequested: IsoDate,
  datePolicyResolved: IsoDate.optional().describe('When policies and approvers cleared or rejected the request'),
  dateBroadcasted: IsoDate.optional().describe('When the signed transaction was sent to the network'),
  dateConfirmed: IsoDate.optional().describe('When the transaction became final by the rule of its network'),
  approvalId: z.string().optional().describe('The latest approval that the request waited for'),
  externalId: z
    .string()
    .optional()
    .describe('The ID that the caller chose for the request, unique among the transfers or the transactions of the organisation'),
};
export const replacementMembers = {
  replacementId: z.string().optional().describe(REPLACEMENT_ID),
  details: Details.optional(),
};
