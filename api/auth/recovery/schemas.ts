import { z } from 'zod';
import { RECOVERY_KINDS, RECOVERY_STATUSES } from '../../../domain/recoveries';
import { RegistrationChallenge } from '../registration/schemas';

export const RecoveryChallenge = RegistrationChallenge.extend({
  allowedRecoveryCredentials: z.array(z.object({ id: z.string(), encryptedRecoveryKey: z.string() })),
}).meta({ id: 'RecoveryChallenge' });

/** The ID of a credential, as the person keeps it together with the key. */
export const RecoveryCredentialId = z.string().min(1).max(1_400);

export const Recovery = z
  .object({
    id: z.string(),
    userId: z.string(),
    username: z.string(),
    kind: z.enum(RECOVERY_KINDS).describe("Begun with the user's recovery key, or by an operator"),
    status: z.enum(RECOVERY_STATUSES),
    begunBy: z.string().optional(),
    dateCreated: z.iso.datetime(),
    dateEffective: z.iso.datetime(),
    dateExpires: z.iso.datetime().optional().describe('When the code of a recovery begun by an operator expires'),
    dateEnded: z.iso.datetime().optional(),
    endedBy: z.string().optional(),
  })
  .meta({ id: 'Recovery' });
