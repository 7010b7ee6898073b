import { z } from 'zod';
import { invariant } from '../domain/errors';
import { FAMILIES as FAMILY_NAMES, type Family, NETWORKS_OF, type NetworkName } from '../domain/networks';
import { FAMILIES } from './families';

type FeeForm = (typeof FAMILIES)[Family]['fees'];

const isFamily = (name: string): name is Family => FAMILY_NAMES.some((family) => family === name);
const names = Object.keys(FAMILIES).filter(isFamily);
const networksOf = (form: FeeForm): NetworkName[] =>
  names.filter((family) => FAMILIES[family].fees === form).flatMap((family): readonly NetworkName[] => NETWORKS_OF[family]);
const forms: readonly FeeForm[] = [...new Set(names.map((family) => FAMILIES[family].fees))];
const [first, ...others] = forms.map((form) => form(z.enum(networksOf(form))));
invariant(first, 'there is a family');

export const FeeEstimates = z.discriminatedUnion('kind', [first, ...others]).meta({ id: 'FeeEstimates' });
