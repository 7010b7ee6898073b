import { AUDIT_ROWS_MAX, BY_OPERATOR, type PerformedOperation } from '../../domain/audit';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { Reader } from '../../entities/database';
import { type AuditCursor, type AuditPeriod, auditStore, type PerformedAction } from '../../entities/user-actions/audit.store';
import { csvExport } from '../csv-export';

/** Undefined for an operation that only an earlier release had. */
export type FindOperation = (method: string, path: string) => PerformedOperation | undefined;

const COLUMNS = [
  'id',
  'datePerformed',
  'action',
  'permission',
  'method',
  'path',
  'bodySha256',
  'userId',
  'username',
  'tokenId',
  'credentialUuid',
  'credentialKind',
] as const;

/** The changes of a period, oldest first. */
export const listAuditLogs = (reader: Reader, findOperation: FindOperation, period: AuditPeriod) =>
  csvExport<AuditCursor, PerformedAction>({
    columns: COLUMNS,
    rowsMax: AUDIT_ROWS_MAX,
    count: (after, rowsMax) => auditStore.count(reader, period, after, rowsMax),
    page: (after, rowsMax) => auditStore.page(reader, period, after, rowsMax),
    lineOf: (action) => fieldsOf(action, findOperation),
  });

function fieldsOf(action: PerformedAction, findOperation: FindOperation): Record<(typeof COLUMNS)[number], string> {
  const { method, path, datePerformed, credentialUuid, firstFactorKind, ...fields } = action;
  const operation = findOperation(method, path);
  return {
    ...fields,
    method,
    path,
    datePerformed: datePerformed.toISOString(),
    action: operation?.id ?? (method === BY_OPERATOR ? path : ''),
    permission: operation?.permission ?? '',
    credentialUuid: credentialUuid ?? '',
    credentialKind: firstFactorKind ?? '',
  };
}

/** Throws `NotFound`, also for an action that was signed but never used. */
export async function getAuditLog(reader: Reader, findOperation: FindOperation, id: string) {
  const entry = isId('userAction', id) ? await auditStore.find(reader, id) : undefined;
  if (!entry) throw new AppError('NotFound', 'audit log entry not found', { id });
  const { method, path, clientData, signature, authenticatorData } = entry;
  return {
    id: entry.id,
    action: findOperation(method, path)?.id ?? `${method} ${path}`,
    actionToken: entry.challenge,
    userId: entry.userId,
    username: entry.username,
    datePerformed: entry.datePerformed.toISOString(),
    firstFactorCredential: {
      id: entry.credentialUuid ?? '',
      kind: entry.firstFactorKind,
      publicKey: entry.publicKey ?? '',
      assertion: clientData === null || signature === null ? null : { authenticatorData, clientData, signature },
    },
  };
}
