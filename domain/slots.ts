import { AppError } from './errors';

/** What a family or one of its parts cannot do, with the reason that the caller is told. */
export type Absent = { readonly able: null; readonly why: string };
export type Slot<Able> = Able | Absent;

export const absent = (why: string): Absent => ({ able: null, why });

const isAbsent = (slot: unknown): slot is Absent =>
  typeof slot === 'object' && slot !== null && 'able' in slot && slot.able === null;

/** Throws `AssetNotSupported` with the reason of a slot that is empty. */
export function inSlot<Able>(slot: Slot<Able>): Able {
  if (isAbsent(slot)) throw new AppError('AssetNotSupported', slot.why);
  return slot;
}
