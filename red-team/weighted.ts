import type { Random } from '../drill/chaos/random';

/** Chooses one of several things. The greater the weight of a thing, the more often it is chosen. */
export function weighted<T extends { readonly weight: number }>(random: Random, some: readonly T[]): T {
  let rest = random.share() * some.reduce((sum, { weight }) => sum + weight, 0);
  const found = some.find(({ weight }) => {
    rest -= weight;
    return rest < 0;
  });
  return found ?? random.oneOf(some);
}
