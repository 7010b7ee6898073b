/** The members and indexes that lead to a value. */
export type Place = readonly (string | number)[];

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const stepsOf = (value: unknown): (readonly [string | number, unknown])[] => {
  if (Array.isArray(value)) return value.map((one, at) => [at, one] as const);
  return isMembers(value) ? Object.entries(value) : [];
};

/** Every place in a JSON value, at every depth. */
export function placesOf(value: unknown, place: Place = []): Place[] {
  const inner = stepsOf(value).flatMap(([step, one]) => placesOf(one, [...place, step]));
  return place.length === 0 ? inner : [place, ...inner];
}

export function valueAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((inner, step) => (isMembers(inner) ? inner[step as keyof typeof inner] : undefined), value);
}

/** A copy with a changed value at this place. `change` returns undefined to remove the value. */
export function changedAt<T>(value: T, [step, ...rest]: Place, change: (inner: unknown) => unknown): T {
  if (step === undefined || !isMembers(value)) return value;
  const inner = value[step as keyof typeof value];
  const next = rest.length === 0 ? change(inner) : changedAt(inner, rest, change);
  if (Array.isArray(value)) {
    const at = Number(step);
    return (next === undefined ? value.toSpliced(at, 1) : value.with(at, next)) as T;
  }
  const { [step as string]: _gone, ...others } = value as Readonly<Record<string, unknown>>;
  return (next === undefined ? others : { ...others, [step]: next }) as T;
}

/** A copy in which this entry of a list appears twice. */
export function doubledAt<T>(value: T, place: Place): T {
  const [list, at] = [place.slice(0, -1), place.at(-1)];
  if (typeof at !== 'number') return value;
  return changedAt(value, list, (inner) => (Array.isArray(inner) ? inner.toSpliced(at, 0, inner[at]) : inner));
}
