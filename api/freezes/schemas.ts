import { z } from 'zod';
import { FREEZE_TARGETS } from '../../domain/freezes';
import { CHAIN_NETWORK_NAMES } from '../../domain/networks';
import { changeRequestSchema } from '../http/change-requests';

const REASON_LENGTH_MAX = 500;
const Id = z.string().min(1).max(64);

export const FreezeTargetKind = z.enum(FREEZE_TARGETS);
export const FreezeStatus = z.enum(['Active', 'Released']);

const FreezeTarget = z
  .object({ kind: FreezeTargetKind, id: z.string().describe('ID of the wallet, key or organisation, or name of the network') })
  .meta({ id: 'FreezeTarget' });

export const FreezeBody = z
  .strictObject({
    target: z.discriminatedUnion('kind', [
      z
        .strictObject({
          kind: z.literal('Organization'),
          id: Id.exactOptional().describe('Must be the organisation of the caller'),
        })
        .describe('Everything that the organisation signs'),
      z.strictObject({ kind: z.literal('Wallet'), id: Id }),
      z.strictObject({ kind: z.literal('Key'), id: Id }).describe('Includes all wallets of the key and the keys derived from it'),
      z
        .strictObject({ kind: z.literal('Network'), id: z.enum(CHAIN_NETWORK_NAMES) })
        .describe('All wallets of the organisation on this network'),
    ]),
    reason: z
      .string()
      .min(1)
      .max(REASON_LENGTH_MAX)
      .describe('For people to read: returned with the freeze, and shown where the freeze stops a request'),
  })
  .meta({ id: 'FreezeBody' });

const members = {
  id: z.string(),
  target: FreezeTarget,
  reason: z.string(),
  status: FreezeStatus,
  requester: z.object({ userId: z.string() }).exactOptional().describe('Absent if the service itself froze the target'),
  dateCreated: z.iso.datetime(),
  dateSignerTold: z.iso
    .datetime()
    .exactOptional()
    .describe('When the signer, which enforces the freeze independently, stored the freeze'),
  dateReleased: z.iso.datetime().exactOptional(),
  releasedBy: z.string().exactOptional().describe('The change request that released the freeze'),
  dateSignerReleased: z.iso.datetime().exactOptional().describe('When the signer released the freeze too'),
};

export const Freeze = z.object(members).meta({ id: 'Freeze' });
export const FreezeChangeRequest = changeRequestSchema('Freeze', ['Delete'], Freeze);
export const FreezeWithPendingChange = z
  .object({
    ...members,
    pendingChangeRequest: FreezeChangeRequest.exactOptional().describe('The release that waits for approval'),
  })
  .meta({ id: 'FreezeWithPendingChange' });

export const FreezeParams = z.strictObject({ freezeId: Id });
