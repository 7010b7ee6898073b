import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from '../../api/http/examples';
import { type Answer, Client } from './client';

/** In a run with this variable, the tests record missing and outdated examples of the document. */
const UPDATE = process.env['UPDATE_EXAMPLES'] !== undefined;
const FOLDER = join(__dirname, '..', '..', 'openapi', 'examples');
const DELIVERIES = join(__dirname, '..', '..', 'openapi', 'deliveries');
/** Tokens, codes, secrets and addresses of a single run, each with its replacement: a scanner of secrets must find none. */
const SHOWN: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]{20,}/g, 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1cy0uLi4ifQ.c2lnbmF0dXJl'],
  [/"[0-9A-Z]{3}(-[0-9A-Z]{3}){2}"/g, '"123-ABC-456"'],
  [/("code": ")[\w-]{20,}"/g, '$1code-of-this-example"'],
  [/(\.ch-[\w-]+\.)[\w-]{43}/g, '$1secret-of-this-sign-in'],
  [/\bwhs-[\w-]{43}/g, 'whs-secret-of-this-webhook'],
  [/([?&]secret=)[A-Z2-7]{16,}/g, '$1JBSWY3DPEHPK3PXP'],
  [/http:\/\/127\.0\.0\.1:\d+\/hook\b/g, 'https://books.example.com/hook'],
  [/http:\/\/127\.0\.0\.1:\d+\/auth\b/g, 'https://accounts.example.com/auth'],
];

const ITEMS_SHOWN = 2;
/** An example shows at most this number of members of a list. */
const MEMBERS_SHOWN = 12;
/** An example shows the header and the first records of a text in lines. */
const LINES_SHOWN = 3;

const noted = new Set<string>();

/** The example of an operation in the document. Throws if the operation has no example. */
export function exampleOf(id: string): Example {
  return JSON.parse(readFileSync(join(FOLDER, `${id}.json`), 'utf8')) as Example;
}

/**
 * Compares the example of an operation with the operation's first accepted exchange in this test file. Throws if the example is
 * missing, or if the two requests differ in members or types. A run that updates the examples writes the example instead.
 */
export function noteExchange(id: string, exchange: Example): void {
  if (noted.has(id)) return;
  noted.add(id);
  const path = join(FOLDER, `${id}.json`);
  const isUpToDate = existsSync(path) && formOf(requestIn(exampleOf(id))) === formOf(requestIn(exchange));
  if (isUpToDate) return;
  if (!UPDATE) throw new Error(`The example of ${id} is not what the test sends: run it again with UPDATE_EXAMPLES=1`);
  mkdirSync(FOLDER, { recursive: true });
  const before = existsSync(path) ? { accepted: exampleOf(id).accepted } : {};
  writeFileSync(path, writtenFormOf({ ...before, ...exchange }));
}

/** Records an accepted exchange that has a body and no query. */
export function noteAnswer(
  id: string,
  body: unknown,
  answer: { readonly status: number; readonly body: unknown },
  params: Example['params'] = {},
): void {
  if (answer.status !== 200) throw new Error(`${id} returned ${answer.status}, which is not an example`);
  noteExchange(id, { params, query: {}, body, response: answer.body });
}

/**
 * Records the first change that waits for approval as the example of its operation. Only a run that updates the examples does
 * so.
 */
function recordAccepted({ method, path }: { readonly method: string; readonly path: string }, answer: Answer): void {
  if (answer.status !== 202) return;
  const { operationFinder }: typeof import('../../api/http/router') = require('../../api/http/router');
  const { operations }: typeof import('../../api/operations') = require('../../api/operations');
  const id = operationFinder(operations)(method, path)?.id;
  if (id === undefined || accepted.has(id)) return;
  accepted.add(id);
  writeFileSync(join(FOLDER, `${id}.json`), writtenFormOf({ ...exampleOf(id), accepted: answer.body }));
}
const accepted = new Set<string>();
if (UPDATE) Client.onAnswer = recordAccepted;

/** Records the first delivery of each kind of event. Only a run that updates the examples does so. */
export function recordDelivery(envelope: { readonly kind: string }): void {
  const { kind } = envelope;
  if (!UPDATE || kind === 'webhook.ping' || delivered.has(kind)) return;
  delivered.add(kind);
  mkdirSync(DELIVERIES, { recursive: true });
  writeFileSync(join(DELIVERIES, `${kind}.json`), shownIn(JSON.stringify(abridged(envelope), undefined, 2)));
}
const delivered = new Set<string>();

/** The text of the example file, without values that differ between runs. */
function writtenFormOf({ response, accepted: waiting, ...request }: Example): string {
  const answers = { response: abridged(response), ...(waiting === undefined ? {} : { accepted: abridged(waiting) }) };
  const text = JSON.stringify({ ...request, ...answers }, undefined, 2);
  return shownIn(text);
}

const shownIn = (text: string): string =>
  `${SHOWN.reduce((written, [pattern, shown]) => written.replace(pattern, shown), text)}\n`;

/** Shortens a response to its first records, and each long list or text in it to its beginning. */
function abridged(value: unknown): unknown {
  if (typeof value === 'string') return value.split(/(?<=\n)/, LINES_SHOWN).join('');
  if (Array.isArray(value)) return value.slice(0, MEMBERS_SHOWN).map(abridged);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      abridged(name === 'items' && Array.isArray(member) ? member.slice(0, ITEMS_SHOWN) : member),
    ]),
  );
}

const requestIn = ({ params, query, body }: Example) => ({ params, query, body });

/** The members of a value and their types, which are the same in two runs. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(formOf))].sort().join()}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([name, member]) => `${name}:${formOf(member)}`)
    .sort()
    .join()}}`;
}
