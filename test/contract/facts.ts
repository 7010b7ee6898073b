import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corrected, type Json } from './correction';
import { OVERLAY } from './overlay';
import type { Schema } from './schema';

type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
type Described = {
  readonly operationId: string;
  readonly 'x-callers'?: readonly string[];
  readonly 'x-user-action'?: boolean;
  readonly 'x-permissions'?: readonly { readonly name: string; readonly when: string }[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: { readonly 200: Content };
};
type Delivered = { readonly post: { readonly requestBody: Content } };
type FactsDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly webhooks: Readonly<Record<string, Delivered>>;
};

export type FactOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly callers: readonly string[];
  readonly userAction: boolean;
  /** A caller always needs a permission `Name`, and needs a permission `Name if:condition` only under the condition. */
  readonly permissions: readonly string[];
  readonly query: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
  readonly answer: Schema;
};

/** The origin of the facts, and the facts themselves. The file is too large for the compiler to infer its type. */
export const factsFile = JSON.parse(readFileSync(join(__dirname, 'facts.json'), 'utf8')) as { readonly origin: Json } & Json;

const document = corrected(factsFile, OVERLAY) as Json & FactsDocument;

/** The facts about the published client's interface, with the corrections of the overlay. */
export const facts = {
  operations: Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  ),
  /** The schemas of events, by the kind of event. */
  events: Object.fromEntries(Object.entries(document.webhooks).map(([kind, { post }]) => [kind, jsonOf(post.requestBody) ?? {}])),
  schemas: document.components.schemas,
  /** The references in the schemas lead to these components. */
  components: document.components,
};

function operationOf(path: string, method: string, described: Described): FactOperation {
  const { parameters = [], requestBody, responses, 'x-permissions': permissions = [] } = described;
  const body = requestBody && jsonOf(requestBody);
  return {
    id: described.operationId,
    method,
    path,
    callers: described['x-callers'] ?? [],
    userAction: described['x-user-action'] ?? false,
    permissions: permissions.map(({ name, when }) => (when === 'always' ? name : `${name} ${when}`)),
    query: Object.fromEntries(parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema])),
    ...(body ? { body } : {}),
    answer: jsonOf(responses[200]) ?? { type: 'object' },
  };
}

function jsonOf({ content }: Content): Schema | undefined {
  return content?.['application/json']?.schema;
}
