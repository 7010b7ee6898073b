import { z } from 'zod';

type Schema = { readonly [member: string]: unknown };

/** The smallest value that fits a body's schema. If a pattern requires more than any text, the caller must supply the value. */
export function sampleOf(schema: z.ZodType): unknown {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return exampleOf(json as Schema, (json.$defs ?? {}) as Readonly<Record<string, Schema>>);
}

function exampleOf(schema: Schema, defs: Readonly<Record<string, Schema>>): unknown {
  const value = (one: unknown) => exampleOf(one as Schema, defs);
  const {
    $ref,
    const: constant,
    enum: choices,
    anyOf,
    oneOf,
    type,
    properties,
    required,
    items,
    minItems,
    minimum,
    format,
  } = schema;
  if (typeof $ref === 'string') return value(defs[$ref.split('/').at(-1) ?? '']);
  if (constant !== undefined) return constant;
  if (Array.isArray(choices)) return choices[0];
  const [first] = [anyOf, oneOf].flatMap((branches) => (Array.isArray(branches) ? (branches as unknown[]) : []));
  if (first !== undefined) return value(first);
  if (type === 'object') {
    const members = (properties ?? {}) as Readonly<Record<string, unknown>>;
    return Object.fromEntries(((required ?? []) as string[]).map((name) => [name, value(members[name])]));
  }
  if (type === 'array') return Array.from({ length: Number(minItems ?? 0) }, () => value(items));
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1));
  if (format === 'email') return 'somebody@example.test';
  if (format === 'uri') return 'https://example.test/';
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z';
  return 'AAAAAAAA';
}
