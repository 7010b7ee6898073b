import { z } from 'zod';
import { ALERT_LEVELS } from '../../domain/screenings';
import { callVendor, type VendorAccess } from '../call';
import { VendorError } from '../failure';
import type { Screener } from '../screener';
import { NATIVE_NETWORKS, TOKEN_NETWORKS } from './coverage';

/** The HTTP status for a network or an asset in our lists that the vendor does not support. */
const UNSUPPORTED = 422;
const FINDINGS_MAX = 1_000;

const Refusal = z.object({ error: z.enum(['UnsupportedNetwork', 'UnsupportedAsset']) });
const Registered = z.object({ id: z.string(), status: z.enum(['Pending', 'Complete']) });
const categoryId = z.int().positive().nullable();
const Categories = z.array(z.object({ categoryId })).max(FINDINGS_MAX);
const Alerts = z.object({
  id: z.string(),
  alerts: z.array(z.object({ level: z.enum(ALERT_LEVELS), categoryId })).max(FINDINGS_MAX),
});
const Exposures = z.object({ id: z.string(), direct: Categories });
const Addresses = z.object({ id: z.string(), addresses: Categories });

/** The protocol is in docs/screening.md. */
export const kytAScreener: Screener<'KytA'> = {
  unsupported: ({ network, contract }) => {
    if (!NATIVE_NETWORKS.has(network)) return { kind: 'UnsupportedNetwork' };
    return contract !== null && !TOKEN_NETWORKS.has(network) ? { kind: 'UnsupportedAsset' } : undefined;
  },

  screen: async (access, { id, question }) => {
    const { direction, ...body } = question;
    const path = `/v1/${direction === 'Sent' ? 'withdrawal-attempts' : 'received-transfers'}/${id}`;
    const put = { method: 'PUT', path, body, reply: z.union([Registered, Refusal]) } as const;
    const { status, value } = await callVendor(access, put, [UNSUPPORTED]);
    if ('error' in value) {
      if (status !== UNSUPPORTED) throw new VendorError('Unreadable', 'the vendor sent a reply that cannot be read');
      return { kind: value.error };
    }
    assertAbout(id, value);
    if (status === UNSUPPORTED || value.status === 'Pending') return 'Pending';
    const found = <S extends z.ZodType<{ readonly id: string }>>(what: string, reply: S) =>
      findingsOf(access, { id, path: `${path}/${what}`, reply });
    const [{ alerts }, { direct }, addresses] = await Promise.all([
      found('alerts', Alerts),
      found('exposures', Exposures),
      direction === 'Sent' ? found('addresses', Addresses).then((one) => one.addresses) : [],
    ]);
    return { kind: 'Screened', alerts, directExposures: direct, addresses };
  },
};

type Findings<S extends z.ZodType> = { readonly id: string; readonly path: string; readonly reply: S };

async function findingsOf<S extends z.ZodType<{ readonly id: string }>>(
  access: VendorAccess,
  { id, path, reply }: Findings<S>,
): Promise<z.output<S>> {
  const { value } = await callVendor(access, { method: 'GET', path, reply });
  assertAbout(id, value);
  return value;
}

/** An answer about a different transaction must never clear this transaction. */
function assertAbout(id: string, value: { readonly id: string }): void {
  if (value.id !== id) throw new VendorError('Unreadable', 'the reply of the vendor is about another transaction');
}
