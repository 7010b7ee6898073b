import { stringify } from 'csv-stringify/sync';
import { AUDIT_ROWS_MAX, BY_OPERATOR, type PerformedOperation } from '../../domain/audit';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { Reader } from '../../entities/database';
import { type AuditPeriod, auditStore, type PerformedAction } from '../../entities/user-actions/audit.store';

/** Undefined for an operation that only an earlier release had. */
export type FindOperation = (method: string, path: string) => PerformedOperation | undefined;

const PAGE_ROWS = 1_000;
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

/**
 * The changes of a period as CSV, oldest first. The rows are read page by page, which bounds memory. `isTruncated` says in
 * advance whether the period has too many entries.
 */
export async function listAuditLogs(reader: Reader, findOperation: FindOperation, period: AuditPeriod) {
  const isTruncated = await auditStore.exceeds(reader, period, AUDIT_ROWS_MAX);
  return { isTruncated, csv: csvOf(reader, findOperation, period, isTruncated) };
}

async function* csvOf(reader: Reader, findOperation: FindOperation, period: AuditPeriod, isTruncated: boolean) {
  yield stringify([COLUMNS]);
  let last: PerformedAction | undefined;
  for (let rows = 0; rows < AUDIT_ROWS_MAX; rows += PAGE_ROWS) {
    const page = await auditStore.page(reader, period, last, PAGE_ROWS);
    // Formulas are escaped, because a spreadsheet would evaluate a name that begins like a formula.
    yield stringify(
      page.map((one) => fieldsOf(one, findOperation)),
      { columns: [...COLUMNS], escape_formulas: true },
    );
    last = page.at(-1);
    if (page.length < PAGE_ROWS) break;
  }
  if (isTruncated) yield `# TRUNCATED: the period has more than ${AUDIT_ROWS_MAX} entries\n`;
}

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
