import { z } from 'zod';
import { ALERT_LEVELS } from '../../../domain/screenings';

const Category = z.object({ categoryId: z.number().int().nullable() });

const notScreened = [
  z.object({ kind: z.enum(['Unscreenable', 'UnsupportedNetwork', 'UnsupportedAsset']) }),
  z.object({ kind: z.literal('VendorFailed'), failure: z.string() }),
] as const;

const KytAFindings = z.object({
  kind: z.literal('Screened'),
  alerts: z.array(Category.extend({ level: z.enum(ALERT_LEVELS) })),
  directExposures: z.array(Category),
  addresses: z.array(Category),
});
const KytBFindings = z.object({ kind: z.literal('Screened'), riskScore: z.number() });

/** The vendor's finding that the policy used. */
export const EvaluationContext = z
  .object({
    screening: z.union([
      z.object({ vendor: z.literal('KytA'), result: z.union([KytAFindings, ...notScreened]) }),
      z.object({ vendor: z.literal('KytB'), result: z.union([KytBFindings, ...notScreened]) }),
    ]),
  })
  .meta({ id: 'EvaluationContext', description: 'Present if the policy uses a screening result' });
