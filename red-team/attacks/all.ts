import type { Random } from '../../drill/chaos/random';
import type { Attack } from './attack';
import { CONTENT_ATTACKS } from './contents';
import { EVIDENCE_ATTACKS } from './evidence';
import { FIELD_ATTACKS } from './fields';
import { FORBIDDEN_ATTACKS } from './forbidden';
import { JUNK_ATTACKS } from './junk';
import { OPERATION_ATTACKS } from './operations';

export const ATTACKS: readonly Attack[] = [
  ...FIELD_ATTACKS,
  ...CONTENT_ATTACKS,
  ...EVIDENCE_ATTACKS,
  ...FORBIDDEN_ATTACKS,
  ...OPERATION_ATTACKS,
  ...JUNK_ATTACKS,
];
const WEIGHT = ATTACKS.reduce((sum, { weight }) => sum + weight, 0);

/** The heavier a kind, the more often it is chosen. */
export function chosen(random: Random): Attack {
  let rest = random.share() * WEIGHT;
  for (const attack of ATTACKS) {
    rest -= attack.weight;
    if (rest < 0) return attack;
  }
  return ATTACKS[0] as Attack;
}
