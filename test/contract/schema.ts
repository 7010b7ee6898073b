/** The part of JSON Schema that the facts and our own document use. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

/** The schema to which a reference leads. Throws if the reference leads nowhere or to itself. */
export function resolve(root: object, schema: Schema): Schema {
  const seen = new Set<string>();
  let current: Schema | undefined = schema;
  while (current?.$ref !== undefined) {
    const { $ref } = current;
    if (seen.has($ref)) throw new Error(`${$ref} leads to itself`);
    seen.add($ref);
    const steps = $ref.replace(/^#\//, '').split('/');
    current = steps.reduce<unknown>((place, step) => (Object(place) as Record<string, unknown>)[step], root) as
      | Schema
      | undefined;
    if (current === undefined) throw new Error(`${$ref} leads nowhere`);
  }
  return current ?? {};
}

/** One schema per alternative. The parts of an `allOf` are merged into one schema. */
export function alternatives(root: object, schema: Schema): readonly Schema[] {
  const resolved = resolve(root, schema);
  const choices = resolved.oneOf ?? resolved.anyOf;
  if (choices) return choices.flatMap((choice) => alternatives(root, choice));
  const { allOf, ...own } = resolved;
  if (!allOf) return [own];
  return allOf
    .map((part) => alternatives(root, part))
    .reduce((merged, parts) => merged.flatMap((left) => parts.map((right) => merge(left, right))), [own]);
}

const merge = (left: Schema, right: Schema): Schema => ({
  ...left,
  ...right,
  ...(left.properties || right.properties ? { properties: { ...left.properties, ...right.properties } } : {}),
  ...(left.required || right.required ? { required: [...(left.required ?? []), ...(right.required ?? [])] } : {}),
});

export const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

const TAGS = ['activityKind', 'kind', 'credentialKind'] as const;

/** The kind that distinguishes an object of this schema from its alternatives. */
export function tagOf(root: object, schema: Schema): string | undefined {
  const member = TAGS.map((name) => schema.properties?.[name]).find((one) => one !== undefined);
  const { const: value, enum: values } = member ? resolve(root, member) : {};
  return value === undefined ? values?.join('|') : String(value);
}

/** One schema for each kind that this schema covers. The document to compare might group the same kinds differently. */
export function kindsOf(root: object, schema: Schema): readonly Schema[] {
  const name = TAGS.find((one) => schema.properties?.[one] !== undefined);
  const values = name && resolve(root, schema.properties?.[name] ?? {}).enum;
  if (!values) return [schema];
  return values.map((value) => ({ ...schema, properties: { ...schema.properties, [name]: { type: 'string', const: value } } }));
}
