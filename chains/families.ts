import { AppError } from '../domain/errors';
import type { Family } from '../domain/networks';

/** The record, codec, decoder or reader, known to be of this family. Throws `AssetNotSupported` for one of another: the question makes no sense there. */
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
