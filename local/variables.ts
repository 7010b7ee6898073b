import { z } from 'zod';

/** A variable in the form in which docs/configuration.md shows it. */
export type Variable = {
  readonly name: string;
  readonly form: string;
  readonly standard: string;
  readonly secret: string;
  readonly description: string;
};

/** The page needs only this part of a variable's JSON Schema. Our schemas add some members with `.meta()`. */
const Written = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  description: z.string().optional(),
  /** The format of the value, if type and bounds do not show it. */
  form: z.string().optional(),
  /** The default as text, if the default depends on the machine. */
  standard: z.string().optional(),
  secret: z.boolean().optional(),
  /** True if the value is the path of a file with a secret. */
  secretFile: z.boolean().optional(),
});
type Written = z.output<typeof Written>;

/** The variables in the order of the schema. Throws for a variable without a description. */
export function variablesOf(schema: z.ZodObject): Variable[] {
  return Object.entries(schema.shape).map(([name, own]) => {
    if (!(own instanceof z.ZodType)) throw new Error(`${name} has no schema of zod`);
    const written = Written.parse(z.toJSONSchema(own, { io: 'input', unrepresentable: 'any' }));
    const { description } = written;
    if (description === undefined) throw new Error(`${name} has no description: give its schema one sentence by .describe()`);
    return {
      name,
      form: formOf(written),
      standard: standardOf(own, written),
      secret: secretOf(written),
      description,
    };
  });
}

function secretOf({ secret, secretFile }: Written): string {
  if (secretFile) return 'the file';
  return secret ? 'yes' : '';
}

function formOf({ form, type, enum: values, minimum, maximum, maxLength }: Written): string {
  if (form !== undefined) return form;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'integer') return `whole number, ${minimum} to ${maximum}`;
  return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
}

function standardOf(schema: z.ZodType, { standard, default: written }: Written): string {
  if (standard !== undefined) return standard;
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'must be set';
  // Zod writes no default for a schema with a transform. If parsing undefined returns a boolean, the boolean is the default.
  const value = written ?? (typeof data === 'boolean' ? data : '');
  return value === '' ? '' : `\`${value}\``;
}
