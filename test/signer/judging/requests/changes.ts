import type { CauseId } from '../../../../domain/causes';
import type { JudgedOrders } from '../../../../signer/judging/judged-orders';
import { assertRequested } from '../../../../signer/judging/requests/assert-requested';

type Change = { readonly path: string; readonly value: unknown };

const AFTER: Readonly<Record<string, string>> = { '9': '0', f: 'a', F: 'A', z: 'a', Z: 'A' };
const nextChar = (char: string) => AFTER[char] ?? (/[a-z0-9]/i.test(char) ? String.fromCharCode(char.charCodeAt(0) + 1) : '7');

function otherTexts(text: string): string[] {
  const places = [...new Set([0, 1, 2, Math.floor(text.length / 2), text.length - 1])].filter((at) => at in [...text]);
  const changed = places.map((at) => text.slice(0, at) + nextChar(text[at] ?? '') + text.slice(at + 1));
  return [...changed, `${text}1`, text.slice(0, -1), ''].filter((one) => one !== text);
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function otherLists(list: readonly unknown[], path: string): Change[] {
  const within = list.flatMap((one, index) =>
    changesOf(one, `${path}.${index}`).map((change) => ({ ...change, value: list.with(index, change.value) })),
  );
  const without = list.map((_one, index) => ({ path: `${path}.${index}`, value: list.toSpliced(index, 1) }));
  return [...within, ...without, { path, value: [...list, list.at(-1) ?? 1] }];
}

/**
 * Every value that differs from this JSON value in one place: a changed text or number, a missing or an added member. A place
 * ends in `dropped` if its member is missing.
 */
export function changesOf(value: unknown, path = ''): Change[] {
  if (typeof value === 'string') return otherTexts(value).map((other) => ({ path, value: other }));
  if (typeof value === 'number') return [value + 1, value - 1].map((other) => ({ path, value: other }));
  if (typeof value === 'boolean') return [{ path, value: !value }];
  if (Array.isArray(value)) return otherLists(value, path);
  if (!isMembers(value)) return [{ path, value: 'something' }];
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const changed = Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _gone, ...rest } = value;
    const within = changesOf(member, at(name)).map((change) => ({ ...change, value: { ...value, [name]: change.value } }));
    return [...within, { path: `${at(name)} dropped`, value: rest }];
  });
  return [...changed, { path: at('stranger'), value: { ...value, stranger: '1' } }];
}

type Asked<Op extends keyof JudgedOrders> = {
  readonly op: Op;
  readonly order: JudgedOrders[Op];
  readonly cause: CauseId;
  readonly body: object;
};

export const answerTo = <Op extends keyof JudgedOrders>({ op, order, cause, body }: Asked<Op>) =>
  assertRequested(op, order, { cause, body: JSON.stringify(body) });

/** The message of the error, such as `RequestMismatch`; undefined if the request is accepted. */
function faultOf<Op extends keyof JudgedOrders>(asked: Asked<Op>): string | undefined {
  try {
    answerTo(asked);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}

export const isRefused = <Op extends keyof JudgedOrders>(asked: Asked<Op>): boolean => faultOf(asked) === 'RequestMismatch';

/**
 * The places of the body and of the order at which a change is accepted. Throws if the unchanged request is refused, and for
 * any error but the refusal.
 */
export function freePlaces<Op extends keyof JudgedOrders>(asked: Asked<Op>): string[] {
  answerTo(asked);
  const tried = [
    ...changesOf(asked.body).map(({ path, value }) => ({ path: `body.${path}`, asked: { ...asked, body: value as object } })),
    ...changesOf(asked.order)
      .filter(({ path }) => !path.endsWith('stranger'))
      .map(({ path, value }) => ({ path: `order.${path}`, asked: { ...asked, order: value as JudgedOrders[Op] } })),
  ];
  const accepted = tried.flatMap(({ path, asked: changed }) => {
    const fault = faultOf(changed);
    if (fault !== undefined && fault !== 'RequestMismatch') throw new Error(`${path}: ${fault}`);
    return fault === undefined ? [path] : [];
  });
  return [...new Set(accepted)].sort();
}
