/** The names in a Prometheus expression: each metric with the labels of its selector, and the grouping labels. */
export type Named = {
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[];
  readonly groupedBy: readonly string[];
};

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const TOKENS = new RegExp(
  [
    TEXT,
    String.raw`\[[^\]]*\]`,
    String.raw`\b(?:by|without|on|ignoring|group_left|group_right)\s*\((?<grouping>[^)]*)\)`,
    String.raw`(?<name>${NAME})(?<call>\s*\()?(?:\s*\{(?<selector>(?:${TEXT}|[^}"])*)\})?`,
    '[0-9.]+[a-z]*',
  ].join('|'),
  'g',
);
/** Words that are never metrics, even without a bracket after them. */
const OPERATORS = new Set('and or unless bool offset sum min max avg count topk bottomk quantile'.split(' '));
const namesOf = (text: string): string[] => text.replaceAll(new RegExp(TEXT, 'g'), '').match(new RegExp(NAME, 'g')) ?? [];

export function namesIn(expression: string): Named {
  const tokens = [...expression.matchAll(TOKENS)].map(({ groups = {} }) => groups);
  return {
    groupedBy: tokens.flatMap(({ grouping = '' }) => namesOf(grouping)),
    metrics: tokens.flatMap(({ name, call, selector = '' }) =>
      name === undefined || call !== undefined || OPERATORS.has(name) ? [] : [{ name, labels: namesOf(selector) }],
    ),
  };
}
