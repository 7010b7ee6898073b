import type { z } from 'zod';
import type { AppError } from '../../domain/errors';
import { type FieldFault, fieldFaults } from '../../domain/field-faults';
import { textFault } from '../../platform/strict-json';

const ISSUES_MAX = 20;
const TEXT_MAX = 200;

type Place = 'params' | 'query' | 'body';
type Issue = z.core.$ZodIssue;

/** Each issue names a field (`body.amount`) and its fault. */
export function invalidRequest(issues: readonly FieldFault[]): AppError {
  const listed = issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
  return fieldFaults(listed);
}

/** Throws `InvalidRequest` with at most `ISSUES_MAX` faults of this part of the request. */
export function parseInput<S extends z.ZodType>(place: Place, schema: S, value: unknown): z.output<S> {
  const fault = textFault(value, place);
  if (fault) throw invalidRequest([fault]);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.flatMap((issue) => describe(issue, [place], { [place]: value })));
}

function describe(issue: Issue, prefix: readonly PropertyKey[], root: unknown): FieldFault[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key].map(String).join('.'), message: 'unknown field' }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch with the fewest faults is most likely the intended branch.
    const [meant] = [...issue.errors].sort((a, b) => a.length - b.length);
    if (meant && meant.length > 0) return meant.flatMap((nested) => describe(nested, path, root));
  }
  const missing = valueAt(root, path) === undefined;
  return [{ path: path.map(String).join('.'), message: missing ? 'is required' : issue.message }];
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
    root,
  );
}

const cut = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text);
