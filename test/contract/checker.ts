import { alternatives, type Schema, tagOf, typesOf } from './schema';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The faults of a value under its schema, one line per fault. A member that the schema does not list is a fault. */
export function faultsOf(root: object, schema: Schema, value: unknown, path = ''): readonly string[] {
  const kind = isObject(value) ? (value['activityKind'] ?? value['kind']) : undefined;
  const all = alternatives(root, schema);
  // A single schema applies to every kind; an unknown kind is then a fault of the member `kind`.
  const choices = all.filter((one) => {
    if (all.length === 1) return true;
    const tag = tagOf(root, one);
    return tag === undefined || tag.split('|').includes(String(kind));
  });
  if (choices.length === 0) return [`${path}: has an unknown kind`];
  const outcomes = choices.map((choice) => faultsOfOne(root, choice, value, path));
  return outcomes.find((faults) => faults.length === 0) ?? outcomes[0] ?? [];
}

function faultsOfOne(root: object, schema: Schema, value: unknown, path: string): readonly string[] {
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return [`${path}: is not ${types.join(' or ')}`];
  return [...scalarFaults(schema, value).map((fault) => `${path}: ${fault}`), ...memberFaults(root, schema, value, path)];
}

function scalarFaults(schema: Schema, value: unknown): readonly string[] {
  const faults: string[] = [];
  if (schema.const !== undefined && value !== schema.const) faults.push(`is not ${String(schema.const)}`);
  if (schema.enum && !schema.enum.includes(value)) faults.push(`${String(value)} is not one of its values`);
  if (typeof value === 'string') {
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) faults.push('has the wrong format');
    if (schema.format === 'date-time' && !DATE_TIME.test(value)) faults.push('is not a date');
    if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Infinity))
      faults.push('has the wrong length');
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum || value <= exclusiveMinimum || value > maximum) faults.push('is out of range');
  }
  return faults;
}

function memberFaults(root: object, schema: Schema, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const tooMany = value.length > (schema.maxItems ?? Infinity) || value.length < (schema.minItems ?? 0);
    const faults = value.flatMap((item, index) => faultsOf(root, schema.items ?? {}, item, `${path}[${index}]`));
    return [...(tooMany ? [`${path}: has the wrong number of items`] : []), ...faults];
  }
  if (!isObject(value)) return [];
  const known = schema.properties ?? {};
  const others = schema.additionalProperties;
  // A schema that lists no members allows every member.
  const open = others === true || (others === undefined && schema.properties === undefined);
  const missing = (schema.required ?? [])
    .filter((name) => value[name] === undefined)
    .map((name) => `${path}.${name}: is missing`);
  const faults = Object.entries(value).flatMap(([name, member]) => {
    const described = known[name] ?? (typeof others === 'object' ? others : undefined);
    if (described) return faultsOf(root, described, member, `${path}.${name}`);
    return open ? [] : [`${path}.${name}: is unknown`];
  });
  return [...missing, ...faults];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
