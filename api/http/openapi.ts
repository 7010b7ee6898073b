import { z } from 'zod';
import { invariant } from '../../domain/errors';
import { EVENT_KINDS, EVENTS, type EventKind } from '../../domain/events';
import { underCharterOf } from '../../domain/under-charter';
import { type Examples, NO_EXAMPLES, typedAs } from './examples';
import { type Operation, templateOf } from './operation';
import { formOf, type SnapshotForm, type SnapshotForms } from './snapshots';
import { TAGS } from './tags';

type Json = Record<string, unknown>;
type Draft = {
  readonly components: Json;
  readonly snapshots: SnapshotForms;
  readonly described: Map<z.ZodType, Json>;
  readonly examples: Examples;
};

const DESCRIPTION =
  'Self-hosted wallet custody: wallets, policies, approvals and transfers. Every call carries a bearer token; a call marked ' +
  '`x-user-action` also carries `x-svc-useraction`, the token that `POST /auth/action` returns for the signed challenge of ' +
  '`POST /auth/action/init`. `x-under-charter` states the effect of a change on the signer of an organisation with a charter. ' +
  'The header `Link` of a refusal leads to the cause and the remedy of its `error.id`, a section of `GET /docs/errors`.';

const ErrorBody = z
  .object({
    error: z.object({
      id: z.string().describe('Stable code of the error'),
      status: z.number().int(),
      message: z.string(),
      details: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('For an invalid request: `issues`, each with the `path` of the field (such as `body.amount`) and a `message`'),
    }),
  })
  .meta({ id: 'ErrorBody' });

const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The request is invalid, or its user action has already been used',
  401: 'The bearer token is missing, expired or revoked, or was not issued by this service',
  403: 'The caller lacks the permission, or the user action is missing or authorises a different request',
  404: 'The organisation has no such record',
  409: 'The request conflicts with the current state',
  413: 'The body is larger than 1 MiB',
  415: 'The body is not JSON',
  429: 'Too many requests; the headers state when to retry',
  503: 'A part of the service is unreachable; the same request can be sent again later',
};

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const HELP: Json = { Link: text('Leads to the section of `error.id` in `GET /docs/errors`, as `<address>; rel="help"`') };
/** Headers in addition to `Link`, which every refusal has. */
const REFUSAL_HEADERS: Readonly<Record<string, Json>> = {
  429: {
    'Retry-After': { description: 'Seconds until one more request is allowed', schema: { type: 'integer' } },
    RateLimit: text(
      'The remainder of the limit that is nearest to exhaustion; every response carries this header (draft-ietf-httpapi-ratelimit-headers)',
    ),
    'RateLimit-Policy': text('The limit that is nearest to exhaustion: requests and seconds'),
  },
};

/** Equal arguments always give the same document. */
export function openapiOf(
  operations: readonly Operation[],
  snapshots: SnapshotForms,
  version: string,
  examples: Examples = NO_EXAMPLES,
): Json {
  const components: Json = {};
  const draft: Draft = { components, snapshots, described: new Map(), examples };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = templateOf(operation);
    paths[path] = { ...paths[path], [operation.method]: describe(operation, draft) };
  }
  const error = schemaOf(ErrorBody, 'output', draft);
  const responses = Object.fromEntries(
    Object.entries(REFUSALS).map(([status, description]) => {
      return [`Refusal${status}`, { description, headers: { ...HELP, ...REFUSAL_HEADERS[status] }, content: json(error) }];
    }),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Strongroom',
      version,
      description: DESCRIPTION,
      contact: { name: 'The maintainers of Strongroom' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    webhooks: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, webhookOf(kind, draft)])),
    components: {
      schemas: sorted(components),
      responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        userAction: { type: 'apiKey', in: 'header', name: 'x-svc-useraction' },
      },
    },
  };
}

function describe(operation: Operation, draft: Draft): Json {
  const { id, tag, summary, method, callers, permission, furtherPermissionNames, userAction } = operation;
  const body = method === 'get' ? {} : schemaOf(operation.body, 'input', draft);
  const example = draft.examples.operations[id];
  const underCharter = underCharterOf(id);
  const hasBody = Object.keys(body).length > 0 && !('not' in body);
  const refusals = ['400', '401', '403', '404', ...(method === 'get' ? [] : ['409', '413', '415']), '429', '503'];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: operation.description,
    ...(operation.deprecated ? { deprecated: true } : {}),
    'x-callers': callers,
    ...(permission === null ? {} : { 'x-permission': permission }),
    ...(furtherPermissionNames === undefined ? {} : { 'x-further-permissions': furtherPermissionNames }),
    ...(userAction ? { 'x-user-action': true } : {}),
    ...(underCharter === 'Nothing' ? {} : { 'x-under-charter': underCharter }),
    security: operation.access === 'Public' ? [] : [userAction ? { bearer: [], userAction: [] } : { bearer: [] }],
    ...(operation.access === undefined && operation.refusesPersonalTokens ? { 'x-pat-forbidden': true } : {}),
    parameters: [
      ...parametersOf('path', operation.params, draft, example?.params),
      ...parametersOf('query', operation.query, draft, example?.query),
    ],
    ...(hasBody
      ? { requestBody: { required: !operation.body.safeParse({}).success, content: sentAs(operation, body, example?.body) } }
      : {}),
    responses: {
      200: {
        description: 'OK',
        content: {
          ...json(schemaOf(operation.response, 'output', draft), example?.response),
          ...textOf(operation, example?.response),
          ...(operation.access === undefined && operation.stream ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
        },
      },
      ...(operation.accepted === undefined
        ? {}
        : {
            202: {
              description: 'Waits for approval',
              content: json(schemaOf(operation.accepted, 'output', draft), example?.accepted),
            },
          }),
      ...Object.fromEntries(refusals.map((status) => [status, { $ref: `#/components/responses/Refusal${status}` }])),
    },
  };
}

/** In `multipart/form-data`, the JSON is text, because a user action covers exactly this text. */
function sentAs(operation: Operation, body: Json, example: unknown): Json {
  if (operation.access !== undefined || !operation.file) return json(body, example);
  const data = { type: 'string', contentMediaType: 'application/json', contentSchema: body };
  const file = {
    type: 'string',
    format: 'binary',
    description: '`data` contains the SHA-256 of this file in lower-case hex, as `fileChecksum`',
  };
  return { 'multipart/form-data': { schema: { type: 'object', properties: { data, file }, required: ['data', 'file'] } } };
}

function parametersOf(
  place: 'path' | 'query',
  schema: z.ZodType,
  draft: Draft,
  examples: Readonly<Record<string, string>> = {},
): Json[] {
  const described = schemaOf(schema, 'input', draft);
  const properties = (described['properties'] ?? {}) as Record<string, Json>;
  const required = (described['required'] ?? []) as string[];
  return Object.entries(properties).map(([name, { description, ...member }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: member,
    ...(examples[name] === undefined ? {} : { example: typedAs(member, examples[name]) }),
  }));
}

const DELIVERY_HEADERS =
  'The header `x-svc-webhook-signature` carries `sha256=<hex HMAC of the body>`. `x-svc-webhook-event`, ' +
  '`x-svc-webhook-sequence` and `x-svc-webhook-digest` are the ID of the event, its place in the feed (`GET /events`) and its ' +
  'digest there.';

function webhookOf(kind: EventKind, draft: Draft): Json {
  const delivery = z.object({
    id: z.string().describe('Identifies the attempt'),
    kind: z.literal(kind),
    date: z.iso.datetime().describe('When the event happened'),
    data: draft.snapshots.events[kind],
    timestampSent: z.number().int().describe('When the attempt began, in Unix seconds'),
    deliveryAttempt: z.number().int().describe('From 1 to 5'),
    retryOf: z.string().optional().describe('`id` of the first attempt; absent on that attempt itself'),
    version: z.number().int().describe('The version of the record; rises with each event of the same record'),
  });
  return {
    post: {
      operationId: kind,
      summary: `Event ${kind}`,
      description: `${EVENTS[kind]} ${DELIVERY_HEADERS}`,
      security: [],
      requestBody: { content: json(schemaOf(delivery, 'output', draft), draft.examples.deliveries[kind]) },
      responses: { 200: { description: 'Received; after any other status the event is delivered again' } },
    },
  };
}

/** A nested schema with an id moves to the components and is referenced. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', draft: Draft): Json {
  const {
    $schema: _dialect,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const known = z.globalRegistry.get(zodSchema);
      // A query carries a number as text, so the pattern belongs to the text and not to the declared integer.
      if (jsonSchema.type === 'integer') delete jsonSchema.pattern;
      if (known?.['default'] !== undefined) jsonSchema.default = known['default'] as never;
      delete jsonSchema.id;
      const form = formOf(zodSchema);
      if (form) describeAs(jsonSchema, form, draft);
      const discriminator = discriminatorOf(zodSchema);
      if (discriminator) jsonSchema['discriminator'] = discriminator;
    },
  });
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const described = relocated(definition);
    const { [name]: before = described } = draft.components;
    invariant(JSON.stringify(before) === JSON.stringify(described), `${name} is one schema, not two`);
    draft.components[name] = described;
  }
  return relocated(own) as Json;
}

/** Responses accept any object as a snapshot, but the document shows the schema of the snapshots that this release writes. */
function describeAs(place: z.core.JSONSchema.BaseSchema, { io, of }: SnapshotForm, draft: Draft): void {
  const { description } = place;
  const form = of(draft.snapshots);
  // Describing a snapshot takes milliseconds, and most snapshots occur in dozens of responses.
  const described = draft.described.get(form) ?? schemaOf(z.object({ form }), io, draft);
  draft.described.set(form, described);
  const { form: written } = described['properties'] as { readonly form: Json };
  for (const name of Object.keys(place)) delete place[name];
  Object.assign(place, structuredClone(written), description === undefined ? {} : { description });
}

/** Undefined unless the schema is a discriminated union in which every option has an id. */
function discriminatorOf(schema: z.core.$ZodType): Json | undefined {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return undefined;
  const propertyName = schema.def.discriminator;
  const targets = schema.options.flatMap((option) => {
    const name = z.globalRegistry.get(option)?.id;
    const values = option._zod.propValues?.[propertyName] ?? [];
    return name === undefined ? [] : [...values].map((value) => [String(value), `#/components/schemas/${name}`]);
  });
  return schema.options.every((option) => z.globalRegistry.get(option)?.id !== undefined)
    ? { propertyName, mapping: Object.fromEntries(targets) }
    : undefined;
}

function relocated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref' && typeof member === 'string'
        ? [name, member.replace('#/$defs/', '#/components/schemas/')]
        : [name, relocated(member)],
    ),
  );
}

/**
 * The example is the text itself, not a JSON string with quotes. A recorded example in JSON is left out, because it is not an
 * example of the text.
 */
const textOf = ({ media }: Operation, example: unknown): Json =>
  media === undefined ? {} : { [media]: shown({ type: 'string' }, typeof example === 'string' ? example : undefined) };
const json = (schema: Json, example?: unknown): Json => ({ 'application/json': shown(schema, example) });
const shown = (schema: Json, example: unknown): Json => ({ schema, ...(example === undefined ? {} : { example }) });
const sorted = (value: Json): Json => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
