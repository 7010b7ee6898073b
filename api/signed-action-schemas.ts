import { z } from 'zod';

/** All data from which a tool outside the service recomputes the challenge and verifies the signature (S2). */
export const SignedAction = z
  .object({
    kind: z.enum(['Initiator', 'Approver']).describe('Whether the action requests or approves'),
    userId: z.string(),
    credentialId: z.string().describe('The credential of the first factor'),
    credentialIds: z.array(z.string()).describe('Every credential that could have signed, as the challenge commits to them'),
    method: z.string(),
    path: z.string(),
    bodySha256: z.string().describe('Lower-case hex'),
    dateExpires: z.iso.datetime(),
    approvalDigest: z.string().nullable().describe('The digest that a decision covers; null for every other action'),
    anchor: z
      .string()
      .optional()
      .describe("The signer's dated text (anchor), issued shortly before; absent if the challenge does not commit to an anchor"),
    nonce: z.string().describe('Base64url of the first 16 bytes of the challenge'),
    challenge: z.string(),
    firstFactorKind: z.string(),
    publicKey: z.string().nullable().describe('SPKI in PEM; null for a password'),
    clientData: z.string().nullable().describe('Base64url; null for a password'),
    authenticatorData: z.string().nullable().describe('Base64url; null unless the credential is a passkey'),
    signature: z.string().nullable().describe('Base64url; null for a password'),
    secondFactor: z.string().nullable().describe('The assertion of the second factor as JSON text; null without a second factor'),
    body: z.string().optional().describe('The exact text of the body; absent if the service does not keep it'),
    decided: z.string().optional().describe('For a decision on several approvals, their ids and digests as JSON text'),
  })
  .meta({
    id: 'SignedAction',
    description: 'A user action as it was signed, with all data from which its challenge is computed',
  });

const ApprovedContent = z
  .object({
    kind: z.literal('Approval'),
    approvalId: z.string(),
    digest: z.string().describe('Lower-case hex'),
    committed: z.string().describe('The object that the digest covers, as JSON text'),
  })
  .meta({ id: 'ApprovedContent', description: 'The content that the approvers signed' });

export const SignedGround = z.union([SignedAction, ApprovedContent]);
