import { APPROVING } from './approving';
import { MAILING } from './mailing';

/** The dependencies of steps that apply approved changes. */
export const RELEASING = { ...APPROVING, ...MAILING };
