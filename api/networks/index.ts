import { callFunction } from './call-function';
import { getFees } from './get-fees';

export const networkOperations = [getFees, callFunction];
