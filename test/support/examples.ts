import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from '../../api/http/examples';
import { type Answer, Client } from './client';

/** Set to write the examples of the document again, from what the tests send. */
const UPDATE = process.env['UPDATE_EXAMPLES'] !== undefined;
const FOLDER = join(__dirname, '..', '..', 'openapi', 'examples');
const DELIVERIES = join(__dirname, '..', '..', 'openapi', 'deliveries');
/** Tokens, codes, secrets and addresses of a single run, and the text that the document shows instead: a scanner of secrets must find none. */
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
/** A list of more is shown by as many of its first members. */
const MEMBERS_SHOWN = 12;
/** The header and the first records. */
const LINES_SHOWN = 3;

const noted = new Set<string>();

/** The example of an operation in the document; throws if there is none. */
export function exampleOf(id: string): Example {
  return JSON.parse(readFileSync(join(FOLDER, `${id}.json`), 'utf8')) as Example;
}

/**
 * Holds the example of an operation against an exchange that was accepted just now, the first of this test file: its request has the same
 * members of the same types. Throws if it has not, or if there is no example.
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

/** Notes an accepted exchange that has a body and no query. */
export function noteAnswer(
  id: string,
  body: unknown,
  answer: { readonly status: number; readonly body: unknown },
  params: Example['params'] = {},
): void {
  if (answer.status !== 200) throw new Error(`${id} answered ${answer.status}, which is no example`);
  noteExchange(id, { params, query: {}, body, response: answer.body });
}

/** Records the first change that waits for approval as the example of its operation. Only a run that updates the examples does so. */
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

/** The text of the file, without what only this run has. */
function writtenFormOf({ response, accepted: waiting, ...request }: Example): string {
  const answers = { response: abridged(response), ...(waiting === undefined ? {} : { accepted: abridged(waiting) }) };
  const text = JSON.stringify({ ...request, ...answers }, undefined, 2);
  return shownIn(text);
}

const shownIn = (text: string): string =>
  `${SHOWN.reduce((written, [pattern, shown]) => written.replace(pattern, shown), text)}\n`;

/** A response by its first records, and the long lists and texts in it by their beginning. */
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

/** Members and types of a value, without what differs between two runs. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(formOf))].sort().join()}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([name, member]) => `${name}:${formOf(member)}`)
    .sort()
    .join()}}`;
}
