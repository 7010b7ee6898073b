import { z } from 'zod';
import { INTEGRATION_KINDS, INTEGRATION_STATUSES, VENDOR_FAILURES } from '../../domain/integrations';
import { IsoDate } from '../http/iso-date';

const Kind = z.enum(INTEGRATION_KINDS);
export const IntegrationParams = z.object({ integrationKind: Kind });

/** Credentials travel in headers, so they are printable ASCII without spaces. */
const Secret = z
  .string()
  .min(8)
  .max(512)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

export const IntegrationCredentials = z
  .strictObject({
    apiKey: Secret,
    webhookSecret: Secret.exactOptional().describe('Only for a vendor that signs its callbacks'),
  })
  .meta({ id: 'IntegrationCredentials' });

export const Integration = z
  .object({
    kind: Kind,
    id: z.string().optional().meta({ description: 'Absent if this vendor was never connected' }),
    status: z.enum(INTEGRATION_STATUSES),
    dateCreated: IsoDate.optional(),
    dateUpdated: IsoDate.optional(),
  })
  .meta({ id: 'Integration' });

export const IntegrationTest = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    failure: z.enum(VENDOR_FAILURES).meta({ description: 'The reason why there was no usable response' }),
  }),
]);
