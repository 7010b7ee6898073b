import { z } from 'zod';
import { AUDIT_KINDS, AUDITED_COMMANDS, type AuditKind, REFUSAL_CODES } from '../../../domain/audit';
import { ItemHash, sequence } from '../../http/hash-chains';
import { IsoDate } from '../../http/iso-date';
import { keptName, snapshot } from '../../http/snapshots';

const Request = {
  userId: z.string().describe('The caller'),
  tokenId: z.string().describe('The session of the caller'),
  method: z.string(),
  path: z.string().describe('Percent-encoded as sent, without the query'),
};

/** The data of each kind of entry. */
export const AUDIT_DATA: Readonly<Record<AuditKind, z.ZodType>> = {
  UserAction: z.object({
    ...Request,
    bodySha256: z.string().describe('SHA-256 of the signed body in hex'),
    challenge: z.string().describe('The challenge that was signed, which commits to the request'),
    credentialUuid: z.string().nullable(),
    credentialKind: z.string().nullable(),
  }),
  Refusal: z.object({
    ...Request,
    bodySha256: z
      .string()
      .nullable()
      .describe('Null if the request was refused before its body was read, or if the body contained the signature'),
    userActionId: z.string().nullable().describe('Null without a valid user action'),
    code: keptName(z.enum(REFUSAL_CODES)).describe('The error code of the response'),
    furtherOmitted: z.boolean().describe('True if further refusals of this user within the hour were not recorded'),
  }),
  Charter: z.object({
    sequence: z.int().describe('The sequence of the charter'),
    digest: z.string().describe('SHA-256 of the text of the charter in hex'),
  }),
  OperatorCommand: z.object({
    command: keptName(z.enum(AUDITED_COMMANDS)),
    details: z.record(z.string(), z.union([z.string(), z.boolean()])).describe('The subject of the command, without secrets'),
  }),
};

const AuditEntry = z
  .object({
    id: z.string().describe('The ID of the user action, or a separate ID for an entry without a user action'),
    kind: keptName(z.enum(AUDIT_KINDS)),
    date: IsoDate.meta({ description: 'When the entry was written' }),
    data: snapshot('auditData'),
  })
  .meta({ id: 'AuditEntry' });

export const AuditItem = z
  .object({
    sequence,
    digest: ItemHash.describe('SHA-256 over a zero byte and the entry in the canonical JSON of RFC 8785'),
    hash: ItemHash.describe('Covers the organisation, the previous hash, the sequence and the digest'),
    entry: AuditEntry,
  })
  .meta({ id: 'AuditItem' });
