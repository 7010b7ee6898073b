import { z } from 'zod';
import { ALERT_LEVELS } from '../../domain/screenings';
import { vendorPart } from './part';

const categoryId = z.int().positive().nullable().default(null);
const Script = z.strictObject({
  /** The number of polls that report the screening as unfinished. */
  pendingPolls: z.int().min(0).max(1_000).default(0),
  alerts: z.array(z.strictObject({ level: z.enum(ALERT_LEVELS), categoryId })).default([]),
  directExposures: z.array(z.strictObject({ categoryId })).default([]),
  addresses: z.array(z.strictObject({ categoryId })).default([]),
  refuses: z.enum(['UnsupportedNetwork', 'UnsupportedAsset']).exactOptional(),
});
const PATH = /^\/v1\/(?:withdrawal-attempts|received-transfers)\/([\w-]+)(?:\/(alerts|exposures|addresses))?$/;

/** The vendor registers a movement, screens it, and then returns findings (docs/screening.md). */
export function createKytA() {
  const polls = new Map<string, number>();
  return vendorPart({
    name: 'kyt-a',
    title: 'KytA: alerts, exposures and addresses',
    Script,
    answer: ({ method, path }, script) => {
      const [, id, what] = PATH.exec(path) ?? [];
      if (id === undefined) return undefined;
      if (what === undefined) {
        if (method !== 'PUT') return undefined;
        if (script.refuses !== undefined) return { status: 422, body: { error: script.refuses } };
        const asked = polls.get(id) ?? 0;
        polls.set(id, asked + 1);
        return { status: 200, body: { id, status: asked < script.pendingPolls ? 'Pending' : 'Complete' } };
      }
      if (method !== 'GET' || !polls.has(id)) return undefined;
      if (what === 'alerts') return { status: 200, body: { id, alerts: script.alerts } };
      if (what === 'exposures') return { status: 200, body: { id, direct: script.directExposures } };
      return { status: 200, body: { id, addresses: script.addresses } };
    },
    reset: () => polls.clear(),
  });
}
