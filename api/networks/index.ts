import { callFunction } from './call-function';

export const networkOperations = [callFunction];
