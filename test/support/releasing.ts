import { APPROVING } from './approving';
import { MAILING } from './mailing';

/** For steps that apply what people have approved. */
export const RELEASING = { ...APPROVING, ...MAILING };
