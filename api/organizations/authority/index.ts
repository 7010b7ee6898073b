import type { Operation } from '../../http/operation';
import { getAuthority } from './get-authority';
import { listAmendments } from './list-amendments';
import { listCharterHeads } from './list-charter-heads';

export const authorityOperations: readonly Operation[] = [getAuthority, listAmendments, listCharterHeads];
