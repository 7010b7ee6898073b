import { z } from 'zod';
import { ALERT_LEVELS } from '../../../domain/screenings';

const Category = z
  .object({ categoryId: z.number().int().nullable().describe('Null if the vendor does not specify a category') })
  .meta({ id: 'ScreeningCategory' });

const notScreened = [
  z
    .object({ kind: z.enum(['Unscreenable', 'UnsupportedNetwork', 'UnsupportedAsset']) })
    .meta({ id: 'NotScreened', description: 'The movement is unknown, or the vendor does not screen its network or its asset' }),
  z
    .object({ kind: z.literal('VendorFailed'), failure: z.string().describe('Code of the failure') })
    .meta({ id: 'ScreeningFailed', description: 'The vendor did not give a usable response' }),
] as const;

const KytAFindings = z.object({
  kind: z.literal('Screened'),
  alerts: z.array(Category.extend({ level: z.enum(ALERT_LEVELS) })),
  directExposures: z.array(Category),
  addresses: z.array(Category).describe('Addresses that the vendor identified'),
});
const KytBFindings = z.object({ kind: z.literal('Screened'), riskScore: z.number().describe('From 0 to 100') });

export const EvaluationContext = z
  .object({
    screening: z
      .union([
        z.object({ vendor: z.literal('KytA'), result: z.union([KytAFindings, ...notScreened]) }),
        z.object({ vendor: z.literal('KytB'), result: z.union([KytBFindings, ...notScreened]) }),
      ])
      .describe('The result from the vendor that the rule queries'),
  })
  .meta({ id: 'EvaluationContext', description: 'Present if the policy uses a screening result' });
