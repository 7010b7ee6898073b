import { AsyncLocalStorage } from 'node:async_hooks';
import { type Passing, points } from '../../platform/points';
import { idsIn, type Reached } from './gate-client';

/** The activity or delivery that the process is carrying out, and the ids in the input of this activity or delivery. */
type Step = { readonly name: string; readonly ids: readonly string[] };

/** The requests to signer and chain that the hook reports as points. It reports no other requests. */
const QUESTIONS: readonly unknown[] = ['createKey', 'signTransfer', 'signUtxo', 'signSolana', 'withdraw', 'broadcast'];

/**
 * Reports every point of this process as `<step>:<moment>`. The process waits at the point until the drill has replied. If a
 * point belongs to no step, `outside` takes the place of the step's name. Without `outside` such a point is not reported.
 * Returns a function that stops the reporting.
 */
export function reportPoints(reached: Reached, outside?: string): () => void {
  const current = new AsyncLocalStorage<Step>();
  const touchedBy = new WeakMap<object, Set<string>>();
  const onPoint = (message: unknown): void => {
    const passing = message as Passing;
    const { moment, subject } = passing;
    if (moment === 'opened' && isObject(subject)) {
      touchedBy.set(subject, noted(subject));
      return;
    }
    if ((moment === 'asked' || moment === 'answered') && !QUESTIONS.includes(subject)) return;
    const step = current.getStore() ?? (outside === undefined ? undefined : { name: outside, ids: [] });
    if (!step) return;
    const touched = isObject(subject) ? (touchedBy.get(subject) ?? []) : [];
    passing.until = reached(`${step.name}:${moment}`, [...step.ids, ...touched]);
  };
  points.bindStore(current, (message) => {
    const { step, subject } = message as Passing;
    return { name: step, ids: idsIn(subject) };
  });
  points.subscribe(onPoint);
  return () => {
    points.unsubscribe(onPoint);
    points.unbindStore(current);
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Wraps the methods of a database transaction. Each wrapped method adds the ids in its arguments to the returned set. So the
 * set has the ids of the records that the transaction reads or writes.
 */
function noted(tx: object): Set<string> {
  const touched = new Set<string>();
  for (const [name, member] of Object.entries(tx)) {
    if (typeof member !== 'function') continue;
    const noting = (...args: readonly unknown[]): unknown => {
      for (const id of idsIn(args)) touched.add(id);
      return Reflect.apply(member, tx, args);
    };
    Object.assign(tx, { [name]: noting });
  }
  return touched;
}
