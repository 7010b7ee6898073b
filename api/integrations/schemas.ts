import { z } from 'zod';
import { INTEGRATION_KINDS, INTEGRATION_STATUSES, VENDOR_FAILURES } from '../../domain/integrations';
import { IsoDate } from '../http/iso-date';

const Kind = z.enum(INTEGRATION_KINDS).describe('KytA and KytB screen transfers; TravelRule carries travel rule messages');
export const IntegrationParams = z.object({ integrationKind: Kind });

/** Credentials must be printable ASCII without spaces, because the API key is sent in a header. */
const Secret = z
  .string()
  .min(8)
  .max(512)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

export const IntegrationCredentials = z
  .strictObject({
    apiKey: Secret.describe('The key that the vendor issued'),
    webhookSecret: Secret.exactOptional().describe(
      'Verifies the callbacks of TravelRule; required for this vendor and refused for others',
    ),
  })
  .meta({ id: 'IntegrationCredentials' });

export const Integration = z
  .object({
    kind: Kind,
    id: z.string().optional().meta({ description: 'Absent if this vendor was never connected' }),
    status: z.enum(INTEGRATION_STATUSES).describe('Active: the vendor has credentials'),
    dateCreated: IsoDate.optional().describe('Absent if this vendor was never connected'),
    dateUpdated: IsoDate.optional().describe('Absent if this vendor was never connected'),
  })
  .meta({ id: 'Integration' });

export const IntegrationTest = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    failure: z.enum(VENDOR_FAILURES).meta({ description: 'Why the vendor did not send a usable response' }),
  }),
]);
