import { z } from 'zod';
import type { NetworkName } from '../domain/networks';

/** Networks whose fee estimates have the same shape. */
export type FeeNetwork = z.ZodType<NetworkName, NetworkName>;

export const FeeUnits = z.string().regex(/^\d{1,78}$/);
export const feeTiers = <T extends z.ZodType>(tier: T) => ({ slow: tier, standard: tier, fast: tier });
export const feeBlock = z.number().int().describe('The block on which the estimate is based');
