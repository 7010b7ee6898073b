import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from '../../api/http/examples';

/** Set to write the examples of the document again, from what the tests send. */
const UPDATE = process.env['UPDATE_EXAMPLES'] !== undefined;
const FOLDER = join(__dirname, '..', '..', 'openapi', 'examples');
/** A token of ours would be taken for a live one by whoever scans the repository. */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]{20,}/g;
const TOKEN_SHOWN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1cy0uLi4ifQ.c2lnbmF0dXJl';

const ITEMS_SHOWN = 2;

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
  writeFileSync(path, `${JSON.stringify(abridged(exchange), undefined, 2).replace(TOKEN, TOKEN_SHOWN)}\n`);
}

/** A page is shown by its first records. */
function abridged({ response, ...request }: Example): Example {
  const { items } = (response ?? {}) as { readonly items?: readonly unknown[] };
  return {
    ...request,
    response: items === undefined ? response : { ...(response as object), items: items.slice(0, ITEMS_SHOWN) },
  };
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
