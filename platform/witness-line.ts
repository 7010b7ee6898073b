import { z } from 'zod';
import { HASH_CHAINS } from '../domain/hash-chains';
import { SignedCheckpoint } from './chain-checkpoint';

/** One line of a witness's file, as JSON. The statement names the organisation, the sequence and the hash. */
export const WitnessLine = SignedCheckpoint.extend({ chain: z.enum(HASH_CHAINS) });
export type WitnessLine = z.infer<typeof WitnessLine>;
