import type { Operation } from '../../http/operation';
import { getAuditLog } from './get-audit-log';
import { listAuditCheckpoints } from './list-audit-checkpoints';
import { listAuditEntries } from './list-audit-entries';
import { listAuditLogs } from './list-audit-logs';

export const auditLogOperations: readonly Operation[] = [listAuditLogs, getAuditLog, listAuditEntries, listAuditCheckpoints];
