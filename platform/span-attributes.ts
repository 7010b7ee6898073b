type Values = { readonly text: string; readonly number: number };

/**
 * An attribute that is missing here never leaves the process. More people can read traces than records, so a trace must contain
 * no secret, address, amount or body.
 */
export const SPAN_ATTRIBUTES = {
  'http.request.method': 'text',
  'http.response.status_code': 'number',
  'error.type': 'text',
  'strongroom.request_id': 'text',
  'strongroom.operation': 'text',
  'strongroom.outbox.kind': 'text',
  'strongroom.outbox.attempts': 'number',
  'strongroom.workflow.type': 'text',
  'strongroom.workflow.id': 'text',
  'strongroom.signal': 'text',
  'strongroom.activity.type': 'text',
  'strongroom.activity.attempt': 'number',
  'strongroom.signer.op': 'text',
  'strongroom.signer.ms': 'number',
  'strongroom.network': 'text',
  'strongroom.rpc.method': 'text',
  'strongroom.webhook.attempt': 'number',
  'strongroom.webhook.status': 'text',
} as const satisfies Readonly<Record<string, keyof Values>>;

type Listed = typeof SPAN_ATTRIBUTES;

export type SpanAttributes = { readonly [A in keyof Listed]?: Values[Listed[A]] | undefined };

const isListed = (name: string): name is keyof Listed => Object.hasOwn(SPAN_ATTRIBUTES, name);

export function listedAttributes(attributes: object): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (!isListed(name)) continue;
    if (SPAN_ATTRIBUTES[name] === 'text' ? typeof value === 'string' : typeof value === 'number') kept[name] = value as string;
  }
  return kept;
}
