import { z } from 'zod';
import { invariant } from '../domain/errors';
import { FAMILIES as FAMILY_NAMES, type Family, NETWORKS_OF, type NetworkName } from '../domain/networks';
import { SHOWN_FAMILIES } from './families';

type FeeForm = (typeof SHOWN_FAMILIES)[Family]['fees'];

const isFamily = (name: string): name is Family => FAMILY_NAMES.some((family) => family === name);
const names = Object.keys(SHOWN_FAMILIES).filter(isFamily);
const networksOf = (form: FeeForm): NetworkName[] =>
  names.filter((family) => SHOWN_FAMILIES[family].fees === form).flatMap((family): readonly NetworkName[] => NETWORKS_OF[family]);
const forms: readonly FeeForm[] = [...new Set(names.map((family) => SHOWN_FAMILIES[family].fees))];
const byKind = forms
  .map((form) => form(z.enum(networksOf(form))))
  .sort((one, other) => (one.shape.kind.value < other.shape.kind.value ? -1 : 1));
const [first, ...others] = byKind;
invariant(first, 'there is a family');

export const FeeEstimates = z.discriminatedUnion('kind', [first, ...others]).meta({
  id: 'FeeEstimates',
  description: 'Current fees of a network for the three priorities of a transfer',
});
