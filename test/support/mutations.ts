import { canonical } from '../../platform/canonical';
import { createDice, type Dice, pick } from './dice';

type Json = Parameters<typeof canonical>[0];
type Path = readonly (string | number)[];

/** One change of a text: what was done, and the new text. */
export type Mutation = { readonly what: string; readonly text: string };

const NESTED: Json = JSON.parse(`${'['.repeat(31)}0${']'.repeat(31)}`);
const ODD: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  1e21,
  '',
  '0',
  'ff',
  [],
  {},
  'A'.repeat(70_000),
  Array.from({ length: 20_000 }, () => 0),
  NESTED,
  '../../etc/passwd',
  'file:///dev/zero',
  '\u202e',
  'e\u0301',
  '\ufeff',
];

function pathsIn(value: Json, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const members = Array.isArray(value) ? value.map((item, key) => [key, item] as const) : Object.entries(value);
  return [...(at.length > 0 ? [at] : []), ...members.flatMap(([key, item]) => pathsIn(item as Json, [...at, key]))];
}

const at = (value: Json, path: Path): Json => path.reduce<Json>((one, key) => (one as never)[key], value);
const parentOf = (value: Json, path: Path): Record<string, Json> => at(value, path.slice(0, -1)) as never;

/** Changes one value of the document: another value of the document, an odd value, one character less, or nothing at all. */
export function mutateValue(roll: Dice, document: Json): { readonly path: Path; readonly value: Json } {
  const value = structuredClone(document);
  const paths = pathsIn(value) as [Path, ...Path[]];
  const path = pick(roll, paths);
  const key = String(path.at(-1));
  const parent = parentOf(value, path);
  const old = parent[key] as Json;
  const ways: readonly [() => void, ...(() => void)[]] = [
    () => Object.assign(parent, { [key]: at(document, pick(roll, paths)) }),
    () => Object.assign(parent, { [key]: pick(roll, ODD) }),
    () => Object.assign(parent, { [key]: typeof old === 'number' ? old + 1 : String(old).slice(1) }),
    () => Object.assign(parent, { [key]: flipped(roll, String(old)) }),
    () => Reflect.deleteProperty(parent, key),
    () => Object.assign(parent, { [`${key}2`]: old }),
  ];
  pick(roll, ways)();
  return { path, value };
}

function flipped(roll: Dice, text: string): string {
  const place = roll(Math.max(1, text.length));
  return `${text.slice(0, place)}${text[place] === '0' ? '1' : '0'}${text.slice(place + 1)}`;
}

/** Changes the text itself: characters, ranges, repeated members, white space and the end. */
function mutateText(roll: Dice, text: string): Mutation {
  const [from, length] = [roll(text.length), 1 + roll(40)];
  const ways: readonly [Mutation, ...Mutation[]] = [
    { what: `character ${from}`, text: flipped(roll, text.slice(0, from)) + text.slice(from) },
    { what: `without ${from}, ${length}`, text: text.slice(0, from) + text.slice(from + length) },
    { what: `twice ${from}, ${length}`, text: text.slice(0, from + length) + text.slice(from) },
    { what: `space ${from}`, text: `${text.slice(0, from)} ${text.slice(from)}` },
    { what: `cut at ${from}`, text: text.slice(0, from) },
    { what: `zero ${from}`, text: `${text.slice(0, from)}\0${text.slice(from)}` },
    { what: 'a member twice', text: text.replace('{', `{"v":1,`) },
    { what: 'a prototype', text: text.replace('{', '{"__proto__":{},') },
    { what: 'two documents', text: text + text },
    { what: 'a member twice in another spelling', text: text.replace('{', '{"\\u0076":1,') },
    { what: 'byte order mark', text: `\ufeff${text}` },
    { what: 'depth', text: `${'['.repeat(1_000)}${text}${']'.repeat(1_000)}` },
  ];
  return pick(roll, ways);
}

/** `count` different texts from a seed, none of which is the text itself. */
export function* mutationsOf(text: string, seed: number, count: number): Generator<Mutation> {
  const roll = createDice(seed);
  const document = JSON.parse(text) as Json;
  for (let made = 0; made < count; ) {
    const { path, value } = mutateValue(roll, document);
    const next = roll(2) === 0 ? mutateText(roll, text) : { what: path.join('.'), text: JSON.stringify(value) };
    if (next.text === text) continue;
    made += 1;
    yield next;
    // Often the form alone refuses a text. A canonical text reaches the checks after it.
    const strict = canonical(value);
    if (strict !== text && made < count) {
      made += 1;
      yield { what: `canonical ${path.join('.')}`, text: strict };
    }
  }
}

const TEXT_WAY = /^(?:character|without|twice|space|cut at|zero|a member twice|a prototype|two documents|byte order mark|depth)/;

/** The kind of a change, by its description: the way in which the text was changed, or the member whose value was changed. */
export function wayOf(what: string): string {
  const [textWay] = TEXT_WAY.exec(what) ?? [];
  if (textWay !== undefined) return `text: ${textWay}`;
  const path = what.replace(/^canonical /, '').replaceAll(/\.\d+/g, '');
  return `value: ${path.split('.').at(-1) ?? path}`;
}
