import { alternatives, kindsOf, resolve, type Schema, tagOf, typesOf } from './schema';

type Direction = 'request' | 'answer';
type Member = {
  readonly required: boolean;
  readonly types: ReadonlySet<string>;
  readonly values?: ReadonlySet<unknown>;
  /** Whether the schema lists no members of this object. */
  readonly opaque: boolean;
};
type Shape = ReadonlyMap<string, Member>;

/** Members that show an earlier state of a record. `snapshots.test.ts` compares the schema of each member once. */
const SNAPSHOTS: ReadonlySet<string> = new Set([
  ...['requestBody', 'transferRequest', 'transactionRequest', 'signatureRequest', 'changeRequest', 'blockchainEvent', 'data'],
]);

/** Every member of a schema by its path. `<Kind>` means one of several kinds of object, and `[]` means the items of a list. */
export function shapeOf(root: object, schema: Schema): Shape {
  const shape = new Map<string, Member>();
  describe(root, schema, { path: '', required: true, above: [] }, shape);
  return shape;
}

type Place = { readonly path: string; readonly required: boolean; readonly above: readonly Schema[] };

function describe(root: object, schema: Schema, { path, required, above }: Place, shape: Map<string, Member>): void {
  const own = resolve(root, schema);
  // A recursive schema is described only once.
  if (above.includes(own)) return;
  const below = [...above, own];
  const choices = alternatives(root, schema);
  const objects = choices.filter(({ properties }) => properties);
  const values = choices.every(({ enum: list, const: one }) => list !== undefined || one !== undefined)
    ? new Set(choices.flatMap(({ enum: list, const: one }) => list ?? [one]))
    : undefined;
  const types = new Set(choices.flatMap(typesOf));
  shape.set(path, { required, types, opaque: types.has('object') && objects.length === 0, ...(values ? { values } : {}) });
  if (SNAPSHOTS.has(path.replace(/^.*\./, ''))) return;
  for (const choice of objects.length > 1 ? choices.flatMap((one) => kindsOf(root, one)) : choices) {
    if (choice.items) describe(root, choice.items, { path: `${path}[]`, required: true, above: below }, shape);
    const place = objects.length > 1 ? `${path}<${tagOf(root, choice)}>` : path;
    for (const [name, member] of Object.entries(choice.properties ?? {})) {
      const inside = { path: `${place}.${name}`, required: (choice.required ?? []).includes(name), above: below };
      describe(root, resolve(root, member), inside, shape);
    }
  }
}

/**
 * The differences that a client could notice, one line per difference. The API must accept every request
 * that the published client can send, and its answer must have every member that the client reads.
 */
export function differencesOf(direction: Direction, theirs: Shape, ours: Shape): readonly string[] {
  const lines: string[] = [];
  for (const [path, their] of theirs) {
    const our = ours.get(path);
    if (!our) {
      // The report contains only the outermost missing member; for a missing kind, it contains only the kind.
      const parent = ours.get(parentOf(path));
      const kind = kindOf(path);
      const lacksKind = kind !== undefined && ![...ours.keys()].some((own) => own.startsWith(`${kind}.`));
      if (parent && !parent.opaque) lines.push(`${lacksKind ? kind : path} is missing`);
      continue;
    }
    const [wide, narrow] = direction === 'request' ? [our, their] : [their, our];
    if (!contains(wide.types, narrow.types)) lines.push(`${path} is ${list(our.types)}, not ${list(their.types)}`);
    if (direction === 'request' ? our.required && !their.required : their.required && !our.required) {
      lines.push(`${path} is ${our.required ? 'required' : 'optional'}`);
    }
    if (our.opaque && !their.opaque) lines.push(`${path} is any object`);
    if (wide.values && !(narrow.values && contains(wide.values, narrow.values))) {
      const beyond = narrow.values ? [...narrow.values].filter((value) => !wide.values?.has(value)) : ['any value'];
      lines.push(`${path} ${direction === 'request' ? 'refuses' : 'adds'} ${list(new Set(beyond))}`);
    }
  }
  for (const path of ours.keys()) if (!theirs.has(path) && theirs.has(parentOf(path))) lines.push(`${path} is ours`);
  return [...new Set(lines)];
}

const parentOf = (path: string): string => path.replace(/(\.[^.[\]<>]+|\[\]|<[^<>]+>\.[^.[\]<>]+)$/, '');
/** The path of the kind of object to which this member belongs, if the object has several kinds. */
const kindOf = (path: string): string | undefined => /^(.*<[^<>]+>)\.[^.[\]<>]+$/.exec(path)?.[1];
const contains = (wide: ReadonlySet<unknown>, narrow: ReadonlySet<unknown>): boolean =>
  wide.size === 0 || [...narrow].every((one) => wide.has(one) || (one === 'integer' && wide.has('number')));
const list = (values: ReadonlySet<unknown>): string => [...values].map(String).sort().join('|') || 'anything';
