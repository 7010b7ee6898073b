import { z } from 'zod';
import { NAMED, NEW_TOKEN, SecondsValid } from '../token-schemas';

export const TokenParams = z.strictObject({ tokenId: z.string().min(1).max(64) });

export const CreatePersonalAccessTokenBody = z
  .strictObject({ ...NEW_TOKEN, secondsValid: SecondsValid })
  .meta({ id: 'CreatePersonalAccessTokenBody' });

export const UpdatePersonalAccessTokenBody = z
  .strictObject({ name: NAMED.name.optional(), externalId: NAMED.externalId })
  .meta({ id: 'UpdatePersonalAccessTokenBody' });
