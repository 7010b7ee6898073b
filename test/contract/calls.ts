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

/** Operations that were answered with 200 so far. */
export const answered = new Set<string>();

let recordsExamples = false;
/** From now on, the first accepted call of each operation is held against its example in the document. */
export const recordExamples = (): void => {
  recordsExamples = true;
};

/** Carries out an operation as the facts describe it; throws unless it returns 200 with a body that is as they and our document say. */
export async function call<T = Loose>(client: Client, id: string, { params = {}, query = '', body }: Call = {}): Promise<T> {
  const { status, body: answer } = await send(client, id, { params, query, body });
  if (status !== 200) throw new Error(`${id} answered ${status}: ${JSON.stringify(answer)}`);
  const { answer: schema, method, path } = factOf(id);
  const faults = schema === undefined ? [] : faultsOf(facts, schema, answer).filter((fault) => !isOurs(id, fault));
  if (faults.length > 0) throw new Error(`${id} answers another form: ${faults.join(', ')}`);
  const undocumented = faultsOfAnswer(method, path, answer);
  if (undocumented.length > 0) throw new Error(`${id} does not answer what the document says: ${undocumented.join(', ')}`);
  if (recordsExamples)
    noteExchange(id, { params, query: Object.fromEntries(new URLSearchParams(query)), body, response: answer });
  answered.add(id);
  return answer as T;
}

/** The refusal of an operation; throws unless its body is as the facts say. */
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
  // What has another form by default is asked for as JSON.
  if (method === 'get') return client.send({ method: 'GET', path: `${filled}${query}`, headers: { accept: 'application/json' } });
  if (userAction) return client.change(method.toUpperCase() as 'POST' | 'PUT' | 'DELETE', filled, body);
  return client.send({ method: method.toUpperCase(), path: filled, text: JSON.stringify(body) });
}

/** An operation of ours has no fact: its own description stands in. */
function factOf(id: string) {
  const fact = facts.operations.find((one) => one.id === id);
  if (fact) return fact;
  const own = operations.find((one) => one.id === id);
  if (!own) throw new Error(`There is no operation ${id}`);
  return { method: own.method, path: templateOf(own), userAction: own.userAction, answer: undefined };
}

/** A member, or a value of one, that the table of differences knows as ours. */
function isOurs(id: string, fault: string): boolean {
  const [, path = '', value] = /^(.*): (?:is unknown|(\S+) is none of its values)$/.exec(fault) ?? [];
  const place = `answer${path.replace(/^\.items\[\d+\]/, '').replace(/\[\d+\]/g, '[]')}`;
  const line = value === undefined ? `${place} is ours` : `${place} adds ${value}`;
  return DIFFERENCES.some(({ operations, lines }) => operations.split(' ').includes(id) && lines.includes(line));
}
