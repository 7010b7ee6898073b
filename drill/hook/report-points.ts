import { AsyncLocalStorage } from 'node:async_hooks';
import { type Passing, points } from '../../platform/points';
import { idsIn, type Reached } from './gate-client';

/** The activity or delivery that the process carries out, with the ids in its input. */
type Step = { readonly name: string; readonly ids: readonly string[] };

/** The only requests to signer and chain that the hook reports. */
const QUESTIONS: readonly unknown[] = [
  'createKey',
  'signTransfer',
  'signUtxo',
  'signSolana',
  'withdraw',
  'amendCharter',
  'vouchTransfer',
  'sealFleetInput',
  'recordFleet',
  'assignFleetKey',
  'recordSignatures',
  'broadcast',
];

/**
 * Reports the points as `<step>:<moment>`, and lets the process wait until the drill has replied. A point that belongs to no
 * step is reported with `outside` as its step, or not at all without `outside`. The returned function stops the reporting.
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
 * Wraps the methods of a database transaction. The returned set collects the ids of the records that the transaction reads or
 * writes.
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
