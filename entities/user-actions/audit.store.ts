import { BY_OPERATOR } from '../../domain/audit';
import type { CredentialKind } from '../../domain/credentials';
import type { Reader } from '../database';

export type PerformedAction = {
  readonly id: string;
  readonly datePerformed: Date;
  readonly method: string;
  readonly path: string;
  readonly bodySha256: string;
  readonly userId: string;
  readonly username: string;
  readonly tokenId: string;
  readonly credentialUuid: string | null;
  /** Null for actions that were signed before kinds were stored. */
  readonly firstFactorKind: CredentialKind | null;
};

export type AuditEvidence = PerformedAction & {
  readonly challenge: string;
  readonly publicKey: string | null;
  readonly clientData: string | null;
  readonly authenticatorData: string | null;
  readonly signature: string | null;
};

export type AuditPeriod = { readonly startTime: Date; readonly endTime: Date; readonly userId: string | undefined };
export type AuditCursor = Pick<PerformedAction, 'id' | 'datePerformed'>;

const COLUMNS = `a.id, a.date_consumed AS "datePerformed", a.method, a.path, a.body_sha256 AS "bodySha256", a.user_id AS "userId",
  u.username, a.token_id AS "tokenId", a.credential_uuid AS "credentialUuid", a.first_factor_kind AS "firstFactorKind"`;
const ITS_USER = 'JOIN users u ON u.org_id = a.org_id AND u.id = a.user_id';
const FROM = `FROM user_actions a ${ITS_USER}`;
const WITHIN = `a.date_consumed BETWEEN $1 AND $2 AND ($3::text IS NULL OR a.user_id = $3)`;
const AFTER = `(a.date_consumed, a.id) > ($4, $5 COLLATE "C")`;
/** SQL: the unsigned actions of operators on users, with the columns of user actions. */
const BY_AN_OPERATOR = `(
  SELECT org_id, id, date_created AS date_consumed, '${BY_OPERATOR}' AS method, 'org:reissue' AS path, '' AS body_sha256, user_id,
    '' AS token_id, NULL AS credential_uuid, NULL AS first_factor_kind FROM reissue_grants) a`;

export const auditStore = {
  /** Counts the actions after the cursor, up to `rowsMax`. The period includes both of its ends. */
  async count(
    reader: Reader,
    { startTime, endTime, userId }: AuditPeriod,
    after: AuditCursor | undefined,
    rowsMax: number,
  ): Promise<number> {
    const [found] = await reader.select<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM (SELECT 1 FROM user_actions a WHERE ${WITHIN} AND ${AFTER}
         UNION ALL SELECT 1 FROM ${BY_AN_OPERATOR} WHERE ${WITHIN} AND ${AFTER} LIMIT $6) found`,
      [startTime, endTime, userId ?? null, after?.datePerformed ?? startTime, after?.id ?? '', rowsMax],
    );
    return found?.rows ?? 0;
  },

  /** Oldest first. `after` is the last action of the previous page. */
  async page(
    reader: Reader,
    { startTime, endTime, userId }: AuditPeriod,
    after: AuditCursor | undefined,
    limit: number,
  ): Promise<PerformedAction[]> {
    // Each part has its own limit, so Postgres reads each part in the order of its index.
    const part = (from: string) => `(SELECT ${COLUMNS} ${from}
      WHERE ${WITHIN} AND ${AFTER} ORDER BY a.date_consumed, a.id LIMIT $6)`;
    return reader.select(
      `${part(FROM)} UNION ALL ${part(`FROM ${BY_AN_OPERATOR} ${ITS_USER}`)} ORDER BY "datePerformed", id LIMIT $6`,
      [startTime, endTime, userId ?? null, after?.datePerformed ?? startTime, after?.id ?? '', limit],
    );
  },

  async find(reader: Reader, id: string): Promise<AuditEvidence | undefined> {
    const [row] = await reader.select<AuditEvidence>(
      `SELECT ${COLUMNS}, a.challenge, a.public_key AS "publicKey", a.client_data AS "clientData",
         a.authenticator_data AS "authenticatorData", a.signature
       ${FROM} WHERE a.id = $1 AND a.date_consumed IS NOT NULL`,
      [id],
    );
    return row;
  },
};
