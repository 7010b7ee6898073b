import { z } from 'zod';
import { SignOutputJson } from '../../../platform/fleets/outputs';
import { FileChecksum } from '../ceremonies/schemas';

export const FleetSignOutputBody = z
  .strictObject({ fileChecksum: FileChecksum, outputJson: SignOutputJson })
  .meta({ id: 'FleetSignOutputBody' });

export const SignOutputAnswer = z.object({ status: z.enum(['success', 'partial']) });
