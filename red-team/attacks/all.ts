import type { Random } from '../../drill/chaos/random';
import { weighted } from '../weighted';
import type { Attack } from './attack';
import { CONTENT_ATTACKS } from './contents';
import { EVIDENCE_ATTACKS } from './evidence';
import { FIELD_ATTACKS } from './fields';
import { FORBIDDEN_ATTACKS } from './forbidden';
import { HOLDER_ATTACKS } from './holders';
import { JUNK_ATTACKS } from './junk';
import { LAYER_ATTACKS } from './layers';
import { OFFLINE_STORE_ATTACKS } from './offline-stores';
import { OPERATION_ATTACKS } from './operations';
import { RESTRICTION_ATTACKS } from './restrictions';

const GROUPS = {
  fields: FIELD_ATTACKS,
  contents: CONTENT_ATTACKS,
  evidence: EVIDENCE_ATTACKS,
  layers: LAYER_ATTACKS,
  forbidden: FORBIDDEN_ATTACKS,
  holders: HOLDER_ATTACKS,
  operations: OPERATION_ATTACKS,
  offlineStores: OFFLINE_STORE_ATTACKS,
  restrictions: RESTRICTION_ATTACKS,
  junk: JUNK_ATTACKS,
} as const satisfies Readonly<Record<string, readonly Attack[]>>;
export type AttackGroup = keyof typeof GROUPS;
export const ATTACK_GROUPS = Object.keys(GROUPS) as AttackGroup[];

/** Chooses among the attacks of these groups. The greater the weight of a kind, the more often it is chosen. */
export function createChoice(groups: readonly AttackGroup[]): (random: Random) => Attack {
  const attacks: readonly Attack[] = groups.flatMap((group): readonly Attack[] => GROUPS[group]);
  return (random) => weighted(random, attacks);
}
