import type { Random } from '../../drill/chaos/random';
import type { Order } from '../orders';
import { messageText } from '../wire';
import type { Attack, Scene } from './attack';
import { changedAt, doubledAt, type Place, placesOf, valueAt } from './places';

function flippedChar(char: string): string {
  if (/[0-9]/.test(char)) return String((Number(char) + 1) % 10);
  return char === 'a' ? 'b' : 'a';
}

/** Changed spellings and contents of a text. */
const TEXTS: readonly ((text: string, random: Random) => unknown)[] = [
  (text, random) => {
    const at = random.whole(0, Math.max(0, text.length - 1));
    return text.slice(0, at) + flippedChar(text.charAt(at)) + text.slice(at + 1);
  },
  (text) => (/^[0-9]+$/.test(text) ? (BigInt(text) + 1n).toString() : `${text}1`),
  (text) => (/^[1-9][0-9]*$/.test(text) ? (BigInt(text) - 1n).toString() : text.slice(0, -1)),
  (text) => (/^[0-9]+$/.test(text) ? `0${text}` : text.toUpperCase()),
  (text) => (/^[0-9]+$/.test(text) ? `${text}.0` : text.toLowerCase()),
  (text) => (/^[0-9]+$/.test(text) ? Number(text) : `${text}\u0000`),
  (text) => `${text}\u200b`,
  (text) => ` ${text}`,
  (text) => text.normalize('NFD').replace('a', '\uff41'),
  (text) => text.replace(/0x/, '0X'),
  (text) => text.replace(/\//g, '%2F'),
  (text) => `${text}/`,
  (text) => `${text}?a=b`,
  (text) => text.replace('/', '//'),
  (text) => text.replace(/\/([^/]*)$/, '/./$1'),
  () => '',
  () => null,
  (text) => [text],
];

const later = (text: string, ms: number) => new Date(Date.parse(text) + ms).toISOString();
const TIMES_MS = [1, -1, 60_000, -60_000, 3_600_000, 10 * 365 * 86_400_000];

function otherValue(value: unknown, random: Random): unknown {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT/.test(value) && random.share() < 0.6) return later(value, random.oneOf(TIMES_MS));
    return random.oneOf(TEXTS)(value, random);
  }
  if (typeof value === 'number') return random.oneOf([value + 1, value - 1, -value, value + 0.5, String(value), 2 ** 53, null]);
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return random.oneOf([[], value.toReversed(), value.slice(1), null, {}]);
  return random.oneOf([null, {}, [], 'x']);
}

/** Changes within the key rows always lead to the same refusal, so these places are chosen less often. */
function placeIn(order: object, random: Random): Place {
  const places = placesOf(order);
  const inner = places.filter(([first]) => first !== 'sealed' && first !== 'dek');
  return random.oneOf(random.share() < 0.9 ? inner : places);
}

function changed({ genuine, random }: Scene, times: number): object {
  let order: object = genuine.order;
  for (let at = 0; at < times; at += 1) {
    const place = placeIn(order, random);
    order = changedAt(order, place, (value) => otherValue(value, random));
  }
  return order;
}

/** Replaces one member of a genuine order with the same member of another genuine order. */
function swapped({ genuine, other, random }: Scene): object {
  const place = placeIn(genuine.order, random);
  const taken = valueAt(other.order, place);
  return changedAt<object>(genuine.order, place, () => taken);
}

function swappedTop({ genuine, other, random }: Scene): object {
  const names = Object.keys(genuine.order).filter((name) => name !== 'op');
  const count = random.whole(1, 3);
  let order: Order = genuine.order;
  for (let at = 0; at < count; at += 1) {
    const name = random.oneOf(names);
    order = { ...order, [name]: other.order[name] };
  }
  return order;
}

/** Rewrites the JSON text in ways that parsers may read differently. */
const SPELLINGS: readonly ((text: string, random: Random) => string)[] = [
  (text) => text.replace(/"nonce":(\d+)/, '"nonce":$1.0'),
  (text) => text.replace(/"nonce":(\d+)/, '"nonce":$1e0'),
  (text) => text.replace(/"nonce":(\d+)/, '"nonce":-0$1'),
  (text) => text.replace(/"nonce":(\d+)/, (_all, digits: string) => `"nonce":${digits},"nonce":${Number(digits) + 1}`),
  (text) => text.replace(/"amountUnits":"(\d+)"/, '"amountUnits":"9$1","amountUnits":"$1"'),
  (text) => text.replace(/"amountUnits":"(\d+)"/, '"amountUnits":"$1","amountUnits":"9$1"'),
  (text) => text.replace(/"requestId":"([^"]+)"/, '"requestId":"$1","requestId":"xfr-other"'),
  (text) => text.replace(/"evidence":\[/, '"evidence":[],"evidence":['),
  (text) => text.replace(/"op":"(\w+)"/, '"op":"$1","\\u006fp":"exportKey"'),
  (text) => text.replace(/"orgId"/, '"\\u006frgId"'),
  (text) => text.replace(/^\{/, '{"__proto__":{"replaces":"x"},'),
  (text) => text.replace(/^\{/, '{"constructor":{"prototype":{"a":1}},'),
  (text) => ` \n${text}\t`,
  (text) => `\ufeff${text}`,
  (text) => text.replace(/\\"amount\\":\\"(\d+)\\"/, '\\"amount\\":\\"$1\\",\\"amount\\":\\"9$1\\"'),
  (text) => text.replace(/\\"kind\\"/, '\\"\\\\u006bind\\"'),
  (text, random) => {
    const at = random.whole(0, text.length - 1);
    return text.slice(0, at) + flippedChar(text.charAt(at)) + text.slice(at + 1);
  },
];

const spelled = ({ genuine, random }: Scene) => {
  const spell = random.oneOf(SPELLINGS);
  let sent: string | undefined;
  // The judge calls `textOf` again and must get the sent text, so the random change is made only once.
  const textOf = (id: number): string => {
    sent ??= spell(messageText(id, genuine.order), random);
    return sent;
  };
  return { textOf };
};

/** Attacks that change, remove, double, swap or respell single members of a genuine order. */
export const FIELD_ATTACKS: readonly Attack[] = [
  { kind: 'one member changed', weight: 14, make: (scene) => ({ order: changed(scene, 1) }) },
  { kind: 'several members changed', weight: 4, make: (scene) => ({ order: changed(scene, scene.random.whole(2, 4)) }) },
  {
    kind: 'member removed',
    weight: 4,
    make: ({ genuine, random }) => ({ order: changedAt<object>(genuine.order, placeIn(genuine.order, random), () => undefined) }),
  },
  {
    kind: 'entry doubled',
    weight: 3,
    make: ({ genuine, random }) => {
      const places = placesOf(genuine.order).filter((place) => typeof place.at(-1) === 'number');
      return places.length === 0 ? undefined : { order: doubledAt<object>(genuine.order, random.oneOf(places)) };
    },
  },
  { kind: 'member of another order', weight: 8, make: (scene) => ({ order: swapped(scene) }) },
  { kind: 'parts of two orders', weight: 6, make: (scene) => ({ order: swappedTop(scene) }) },
  { kind: 'other spelling of the message', weight: 4, make: spelled },
];
