import { AppError } from './errors';

type Details = Readonly<Record<string, string>>;
/** A feature that a family lacks, with the reason for the caller. */
export type Absent = { readonly able: null; readonly why: string; readonly details: Details };
export type Slot<Able> = Able | Absent;

export const absent = (why: string, details: Details = {}): Absent => ({ able: null, why, details });

export const isAbsent = (slot: unknown): slot is Absent =>
  typeof slot === 'object' && slot !== null && 'able' in slot && slot.able === null;

/** Throws `AssetNotSupported` if the family lacks the feature. */
export function inSlot<Able>(slot: Slot<Able>): Able {
  if (isAbsent(slot)) throw new AppError('AssetNotSupported', slot.why, slot.details);
  return slot;
}

/**
 * The slot (function) of the first family that recognises the content. A family with an empty slot cannot check the content, and
 * is treated as a match.
 */
export function recognisedBy<F extends string, Able>(
  families: readonly F[],
  slotOf: (family: F) => Slot<Able>,
  recognises: (able: Able) => boolean,
): Slot<Able> | undefined {
  return families.map(slotOf).find((slot) => isAbsent(slot) || recognises(slot));
}
