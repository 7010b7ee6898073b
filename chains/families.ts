import { AppError } from '../domain/errors';
import type { Family } from '../domain/networks';
import { inSlot, type Slot } from '../domain/slots';
import type { NetworkOf } from './types';

/** Narrows the type of `part` to this family. Throws `AssetNotSupported` if `part` belongs to a different family. */
export function inFamily<F extends Family, Part extends { readonly family: Family }>(
  family: F,
  part: Part,
): Extract<Part, { readonly family: F }> {
  if (isOfFamily(family, part)) return part;
  throw new AppError('AssetNotSupported', `This is for networks of the family ${family}`, { family });
}

export const isOfFamily = <F extends Family, Part extends { readonly family: Family }>(
  family: F,
  part: Part,
): part is Extract<Part, { readonly family: F }> => part.family === family;

/** One maker for each family. A family without a maker has `absent('…')` with the reason. */
export type OfEachFamily<Made, Parts extends readonly unknown[] = []> = {
  readonly [F in Family]: Slot<(network: NetworkOf<F>, ...parts: Parts) => Made>;
};

/** If the family does not have a value, throws `AssetNotSupported` with the family's reason. */
export const madeFor = <F extends Family, Made, Parts extends readonly unknown[]>(
  makers: OfEachFamily<Made, Parts>,
  network: NetworkOf<F> & { readonly family: F },
  ...parts: Parts
): Made => {
  const make: Slot<(network: NetworkOf<F>, ...parts: Parts) => Made> = makers[network.family];
  return inSlot(make)(network, ...parts);
};
