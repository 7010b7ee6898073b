import { CATALOGUE } from './permission-catalogue';

export const MANAGED_FULL_ADMIN = 'ManagedFullAdminAccess';

/** The permission of every new end user. Its operations may be changed, but its name and its status may not. */
export const MANAGED_DEFAULT_END_USER = {
  name: 'ManagedDefaultEndUserAccess',
  operations: [
    'Keys:Read',
    'Keys:Signatures:Create',
    'Keys:Signatures:Read',
    'Wallets:Read',
    'Wallets:Transactions:Create',
    'Wallets:Transactions:Read',
    'Wallets:Transfers:Create',
    'Wallets:Transfers:Read',
  ],
} as const;

export const isImmutable = ({ name, isManaged }: { readonly name: string; readonly isManaged: boolean }): boolean =>
  isManaged && name !== MANAGED_DEFAULT_END_USER.name;

/** Only the service may give these names, because the service assigns such permissions without approval. */
export const RESERVED_NAMES: readonly string[] = [
  MANAGED_FULL_ADMIN,
  MANAGED_DEFAULT_END_USER.name,
  'SvcFullAdminAccess',
  'SvcDefaultEndUserAccess',
];

/** In a managed permission: every operation, present and future. */
export const ALL_OPERATIONS = '*';

type Entry = {
  readonly latest: string;
  /** The latest spelling comes first. */
  readonly spellings: readonly string[];
  /** For each operation, the generation of the catalogue that added the operation to the name. */
  readonly since: ReadonlyMap<string, number>;
  readonly generation: number;
};

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');

/** Throws if two names share a spelling. */
export function readCatalogue(rows: typeof CATALOGUE): ReadonlyMap<string, Entry> {
  const byName = new Map<string, Entry>();
  for (const [latest, grants, formerly] of rows) {
    const since = new Map(words(grants).map((word) => [word.split('@')[0] ?? '', Number(word.split('@')[1] ?? 1)]));
    const spellings = [latest, ...words(formerly)];
    const entry = { latest, spellings, since, generation: Math.max(1, ...since.values()) };
    for (const spelling of spellings) {
      if (byName.has(spelling)) throw new Error(`${spelling} appears twice in the catalogue of permissions`);
      byName.set(spelling, entry);
    }
  }
  return byName;
}

const BY_NAME = readCatalogue(CATALOGUE);

export const PERMISSION_NAMES: readonly string[] = [...BY_NAME.keys()].sort();

export const LATEST_NAMES: readonly string[] = CATALOGUE.map(([latest]) => latest).sort();

/**
 * Each name in its latest spelling, with an additional entry for each later generation that extended the name. A list stored
 * before such an extension lacks the additional entry, so its rights do not grow.
 */
export function storedOperations(names: readonly string[], catalogue = BY_NAME): readonly string[] {
  const stored = names.flatMap((name) => {
    const { latest, generation } = catalogue.get(name) ?? { latest: name, generation: 1 };
    const later = Array.from({ length: generation - 1 }, (_, index) => `${latest}@${index + 2}`);
    return [latest, ...later];
  });
  return [...new Set(stored)].sort();
}

/** Each name once, in its latest spelling. `ALL_OPERATIONS` becomes the list of all names. */
export function shownOperations(stored: readonly string[]): string[] {
  if (stored.includes(ALL_OPERATIONS)) return [...LATEST_NAMES];
  return [...new Set(stored.map((one) => latestOf(one.split('@')[0] ?? one)))].sort();
}

const latestOf = (name: string): string => BY_NAME.get(name)?.latest ?? name;

/** Whether the stored permissions allow this operation, which requires the permission `name`. */
export function allows(permissions: ReadonlySet<string>, name: string, operationId: string, catalogue = BY_NAME): boolean {
  if (permissions.has(ALL_OPERATIONS)) return true;
  const entry = catalogue.get(name);
  const generation = entry?.since.get(operationId);
  if (!entry || generation === undefined) return false;
  if (generation > 1) return permissions.has(`${entry.latest}@${generation}`);
  return entry.spellings.some((spelling) => permissions.has(spelling));
}

/** The permissions in a stored list that exceed these rights, in their latest spellings. */
export function beyond(rights: ReadonlySet<string>, stored: readonly string[]): string[] {
  if (rights.has(ALL_OPERATIONS)) return [];
  const held = new Set([...rights].map(latestOf));
  return shownOperations(stored.filter((operation) => !held.has(latestOf(operation))));
}

/** Null means that there is no limit. */
export function intersection(permissions: ReadonlySet<string>, limit: ReadonlySet<string> | null): ReadonlySet<string> {
  if (limit === null || limit.has(ALL_OPERATIONS)) return permissions;
  if (permissions.has(ALL_OPERATIONS)) return limit;
  const allowed = new Set([...limit].map(latestOf));
  return new Set([...permissions].map(latestOf).filter((operation) => allowed.has(operation)));
}
