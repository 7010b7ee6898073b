import { z } from 'zod';
import { RECOVERY_KINDS, RECOVERY_STATUSES } from '../../../domain/recoveries';
import { RegistrationChallenge } from '../registration/schemas';

export const RecoveryChallenge = RegistrationChallenge.extend({
  allowedRecoveryCredentials: z
    .array(
      z.object({
        id: z.string().describe('`credentialId` of the recovery key'),
        encryptedRecoveryKey: z
          .string()
          .describe('The private key as the client encrypted it; empty if the service does not store it'),
      }),
    )
    .describe('Exactly one entry: the recovery key with which the recovery began'),
}).meta({ id: 'RecoveryChallenge' });

export const RecoveryCredentialId = z.string().min(1).max(1_400).describe('`credentialId` of an active recovery key of the user');

export const Recovery = z
  .object({
    id: z.string(),
    userId: z.string().describe('The user whose account is recovered'),
    username: z.string(),
    kind: z.enum(RECOVERY_KINDS).describe("Begun with the user's recovery key, or by an operator"),
    status: z
      .enum(RECOVERY_STATUSES)
      .describe(
        '`Waiting` until the new credentials replace the former ones (`Applied`) or the recovery ends without effect (`Stopped`)',
      ),
    begunBy: z.string().optional().describe('The service account that began the recovery'),
    dateCreated: z.iso.datetime(),
    dateEffective: z.iso
      .datetime()
      .describe('When a waiting recovery takes effect; for kind `Operator`, the time from which its code is accepted'),
    dateExpires: z.iso.datetime().optional().describe('When the code of a recovery begun by an operator expires'),
    dateEnded: z.iso.datetime().optional().describe('Absent while the recovery waits'),
    endedBy: z.string().optional().describe('The user who stopped the recovery; absent if no user stopped it'),
  })
  .meta({ id: 'Recovery' });
