import { z } from 'zod';
import { AMENDMENT_KINDS } from '../../../domain/amendments';
import { END_USER_NETWORKS } from '../../../domain/charters';

export const AmendmentStatus = z.enum(['Waiting', 'InForce', 'Refused']).meta({
  id: 'AmendmentStatus',
  description: 'Whether the signer has applied the change, has refused it, or has not responded yet',
});

const Head = {
  sequence: z.int().describe('The number of the charter within the organisation, from 1'),
  digest: z.string().describe('SHA-256 of the text of the charter'),
};

export const Amendment = z
  .object({
    id: z.string(),
    kind: z.enum(AMENDMENT_KINDS).describe('The operation of the request that changes the charter'),
    status: AmendmentStatus,
    reason: z
      .string()
      .exactOptional()
      .describe(
        "Why the signer refused, as listed in the signer's runbook; `NotSigned` if the records do not contain a signed action",
      ),
    requester: z.object({ userId: z.string() }),
    userActionId: z.string().describe('The signed action, which the audit log also contains'),
    request: z.object({ method: z.string(), path: z.string() }).describe('The request that the requester signed'),
    approvalId: z.string().exactOptional().describe('The approval of a change that people approved'),
    charter: z.object(Head).exactOptional().describe('The charter that resulted from the change; present with `InForce`'),
    dateCreated: z.iso.datetime().describe('When the change took effect in the service'),
    dateEnded: z.iso.datetime().exactOptional().describe('When the response of the signer was recorded'),
  })
  .meta({ id: 'Amendment', description: 'A signed change by members that the charter of the signer must contain' });

const Credential = z.object({
  id: z.string(),
  kind: z.string(),
  fingerprint: z.string().describe('First half of the SHA-256 of the public key (SPKI, DER), to compare on paper'),
  operations: z.array(z.string()).describe('The operations that the credential may sign'),
});
const Member = z
  .object({
    userId: z.string(),
    hand: z.string().describe('The person whom the member represents in a quorum'),
    isServiceAccount: z.boolean(),
    credentials: z.array(Credential),
  })
  .meta({ id: 'CharterMember' });
const Written = z.record(z.string(), z.unknown());
const CharterPolicy = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.int(),
    activityKind: z.string(),
    rule: Written,
    action: Written,
    filters: Written.nullable(),
    mode: z.string(),
  })
  .meta({ id: 'CharterPolicy', description: 'A policy as the charter contains it' });

const Charter = z
  .object({
    ...Head,
    dateSeen: z.iso.datetime().describe('When the service read this charter from the signer'),
    signerId: z.string().describe('The signer for which the charter was made'),
    members: z.array(Member),
    wallets: z.int().describe('Number of wallets in the charter'),
    policies: z.array(CharterPolicy).describe('Policies that judge the signatures of wallets'),
    changePolicies: z.array(CharterPolicy).describe('Policies that judge changes of policies'),
    limits: z.array(
      z.object({
        walletId: z.string(),
        asset: z.string().describe('`native`, or the contract or mint of a token'),
        hours: z.int(),
        unitsMax: z.string().describe('In smallest units'),
      }),
    ),
    feeSponsors: z.array(z.object({ id: z.string(), walletId: z.string() })),
    seen: z
      .object({
        operations: z
          .array(z.string())
          .describe('The operations that people must sign in a client that shows the content to be signed'),
        origins: z
          .array(z.string())
          .describe('Pages on which a passkey may sign these operations; a key pair may sign them only in `strongroom-verify`'),
      })
      .nullable()
      .describe('Null if the charter does not require this for any operation'),
    mainnets: z.array(z.string()).describe('The mainnets for which the signer signs'),
    exports: z
      .object({
        waitHours: z.int().describe('The minimum age of each vote for an export'),
        policies: z.array(CharterPolicy).describe('Policies that judge exports of keys'),
      })
      .nullable()
      .describe('Null if the signer does not export keys'),
    endUsers: z
      .object({
        networks: z.enum(END_USER_NETWORKS).describe('`All` includes the mainnets of the charter'),
      })
      .nullable()
      .describe(
        'The networks on which end users sign with the keys that they hold at the signer; null if the signer does not sign ' +
          'for end users',
      ),
  })
  .meta({ id: 'Charter', description: 'The charter that was in force at the signer when the service last queried the signer' });

export const Authority = z
  .object({
    charter: Charter.nullable().describe('Null for an organisation without a charter'),
    waiting: z
      .array(Amendment)
      .describe('The first hundred changes that wait for the signer, in the order in which the service applied them'),
    refused: z.array(Amendment).describe('The last twenty changes that the signer refused, newest first'),
  })
  .meta({ id: 'Authority' });

export const SeenCharter = z
  .object({ ...Head, dateSeen: z.iso.datetime().describe('When the service first saw this charter in force') })
  .meta({ id: 'SeenCharter' });
