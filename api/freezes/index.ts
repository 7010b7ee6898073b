import type { Operation } from '../http/operation';
import { createFreeze } from './create-freeze';
import { getFreeze } from './get-freeze';
import { listFreezes } from './list-freezes';
import { releaseFreeze } from './release-freeze';

export const freezeOperations: readonly Operation[] = [createFreeze, listFreezes, getFreeze, releaseFreeze];
