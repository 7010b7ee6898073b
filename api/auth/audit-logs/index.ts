import type { Operation } from '../../http/operation';
import { getAuditLog } from './get-audit-log';
import { listAuditLogs } from './list-audit-logs';

export const auditLogOperations: readonly Operation[] = [listAuditLogs, getAuditLog];
