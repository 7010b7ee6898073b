import { templateOf } from '../../api/http/operation';
import { operations } from '../../api/operations';
import type { Client } from '../support/client';
import { noteExchange } from '../support/examples';
import { faultsOf } from './checker';
import { DIFFERENCES } from './differences';
import { faultsOfAnswer } from './documented';
import { facts } from './facts';

type Call = { readonly params?: Readonly<Record<string, string>>; readonly query?: string; readonly body?: unknown };
type Loose = Readonly<Record<string, unknown>>;

/** Operations to which the API has returned 200 so far. */
export const answered = new Set<string>();

let recordsExamples = false;
/** From now on, `call` compares the first accepted exchange of each operation with its example in the document. */
export const recordExamples = (): void => {
  recordsExamples = true;
};

/** Carries out an operation. Throws unless the API returns 200 with a body that fits the facts and our document. */
export async function call<T = Loose>(client: Client, id: string, { params = {}, query = '', body }: Call = {}): Promise<T> {
  const { status, body: answer } = await send(client, id, { params, query, body });
  if (status !== 200) throw new Error(`${id} answered ${status}: ${JSON.stringify(answer)}`);
  const { answer: schema, method, path } = factOf(id);
  const faults = schema === undefined ? [] : faultsOf(facts, schema, answer).filter((fault) => !isOurs(id, fault));
  if (faults.length > 0) throw new Error(`${id} returns a body that does not fit the facts: ${faults.join(', ')}`);
  const undocumented = faultsOfAnswer(method, path, answer);
  if (undocumented.length > 0) throw new Error(`${id} returns a body that does not fit the document: ${undocumented.join(', ')}`);
  if (recordsExamples)
    noteExchange(id, { params, query: Object.fromEntries(new URLSearchParams(query)), body, response: answer });
  answered.add(id);
  return answer as T;
}

/** Returns the error answer of an operation. Throws if the API accepts the call, or if the error does not fit the facts. */
export async function refusal(client: Client, id: string, { params = {}, query = '', body }: Call = {}): Promise<Loose> {
  const { status, body: answer } = await send(client, id, { params, query, body });
  const faults = faultsOf(facts, facts.schemas['ErrorBody'] ?? {}, answer);
  if (status === 200 || faults.length > 0) throw new Error(`${id} answered ${status}: ${faults.join(', ')}`);
  const { error } = answer as { readonly error: Loose };
  if (error['status'] !== status) throw new Error(`${id} answered ${status} and says ${String(error['status'])}`);
  return error;
}

async function send(client: Client, id: string, { params, query, body }: Required<Call>) {
  const { method, path, userAction } = factOf(id);
  const filled = path.replace(/\{(\w+)\}/g, (_text, name: string) => encodeURIComponent(params[name] ?? ''));
  // Some operations return a media type other than JSON by default.
  if (method === 'get') return client.send({ method: 'GET', path: `${filled}${query}`, headers: { accept: 'application/json' } });
  if (userAction) return client.change(method.toUpperCase() as 'POST' | 'PUT' | 'DELETE', filled, body);
  return client.send({ method: method.toUpperCase(), path: filled, text: JSON.stringify(body) });
}

/** The facts do not contain our own operations, so our description of such an operation takes the place of the facts. */
function factOf(id: string) {
  const fact = facts.operations.find((one) => one.id === id);
  if (fact) return fact;
  const own = operations.find((one) => one.id === id);
  if (!own) throw new Error(`There is no operation ${id}`);
  return { method: own.method, path: templateOf(own), userAction: own.userAction, answer: undefined };
}

/** Whether the fault is only a member or a value that the table of differences lists as ours. */
function isOurs(id: string, fault: string): boolean {
  const [, path = '', value] = /^(.*): (?:is unknown|(\S+) is not one of its values)$/.exec(fault) ?? [];
  const place = `answer${path.replace(/^\.items\[\d+\]/, '').replace(/\[\d+\]/g, '[]')}`;
  const line = value === undefined ? `${place} is ours` : `${place} adds ${value}`;
  return DIFFERENCES.some(({ operations, lines }) => operations.split(' ').includes(id) && lines.includes(line));
}
