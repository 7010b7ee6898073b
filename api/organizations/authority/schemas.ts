import { z } from 'zod';
import { AMENDMENT_KINDS } from '../../../domain/amendments';
import { END_USER_NETWORKS } from '../../../domain/charters';

export const AmendmentStatus = z.enum(['Waiting', 'InForce', 'Refused']).meta({
  id: 'AmendmentStatus',
  description: 'Whether the signer has applied the change, has refused it, or has not answered yet',
});

const Head = {
  sequence: z.int().describe('Counts the charters of the organisation from 1'),
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
      .describe('Why the signer refused, as in the runbook of the signer; `NotSigned` if the records name no signed action'),
    requester: z.object({ userId: z.string() }),
    userActionId: z.string().describe('The signed action, which the audit log also contains'),
    request: z.object({ method: z.string(), path: z.string() }).describe('The request that the requester signed'),
    approvalId: z.string().exactOptional().describe('The approval of a change that people approved'),
    charter: z.object(Head).exactOptional().describe('The charter that the change led to; present with `InForce`'),
    dateCreated: z.iso.datetime().describe('When the change took effect in the service'),
    dateEnded: z.iso.datetime().exactOptional().describe('When the answer of the signer was recorded'),
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
    hand: z.string().describe('The person as whom the member counts in a quorum'),
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
    policies: z.array(CharterPolicy).describe('Policies on what wallets sign'),
    changePolicies: z.array(CharterPolicy).describe('Policies on changes of policies'),
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
        operations: z.array(z.string()).describe('The operations that people must sign in a client that shows what they sign'),
        origins: z.array(z.string()).describe('Pages on which a passkey may sign them; a key must sign in `strongroom-verify`'),
      })
      .nullable()
      .describe('Null if the charter demands this for no operation'),
    mainnets: z.array(z.string()).describe('The mainnets for which the signer signs'),
    exports: z
      .object({
        waitHours: z.int().describe('The minimum age of each vote for an export'),
        policies: z.array(CharterPolicy).describe('Policies on exports of keys'),
      })
      .nullable()
      .describe('Null if the signer exports no key'),
    endUsers: z
      .object({
        networks: z.enum(END_USER_NETWORKS).describe('`All` includes the mainnets of the charter'),
      })
      .nullable()
      .describe(
        'The networks on which end users sign with the keys that they hold at the signer; null if the signer signs nothing for end users',
      ),
  })
  .meta({ id: 'Charter', description: 'The charter that the signer had in force when the service last asked' });

export const Authority = z
  .object({
    charter: Charter.nullable().describe('Null for an organisation without a charter'),
    waiting: z.array(Amendment).describe('The first hundred changes that wait for the signer, in their order'),
    refused: z.array(Amendment).describe('The last twenty changes that the signer refused, newest first'),
  })
  .meta({ id: 'Authority' });

export const SeenCharter = z
  .object({ ...Head, dateSeen: z.iso.datetime().describe('When the service first saw this charter in force') })
  .meta({ id: 'SeenCharter' });
