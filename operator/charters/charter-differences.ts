import type { Charter } from '../../signer/wire/operator-api';
import { type CharterItem, charterItems, type Names } from './charter-items';
import { plain } from './plain';

const keyOf = ({ section, id }: CharterItem) => `${section} ${id}`;

/**
 * Lists in words what `after` adds (+), removes (-) and changes (~) in comparison with `before`. Empty for charters with the same
 * content. The heads of the charters are not compared.
 */
export function differenceLines(before: Charter, after: Charter, names: Names = new Map()): readonly string[] {
  const [former, latter] = [before, after].map(
    (charter) => new Map(charterItems(charter, names).map((item) => [keyOf(item), item])),
  );
  const keys = [...new Set([...(former?.keys() ?? []), ...(latter?.keys() ?? [])])].sort();
  return keys.flatMap((key) => differenceOf(former?.get(key), latter?.get(key)));
}

function differenceOf(before: CharterItem | undefined, after: CharterItem | undefined): readonly string[] {
  if (before?.content === after?.content) return [];
  const [sign, item] = after === undefined ? ['-', before] : [before === undefined ? '+' : '~', after];
  const lost = (before?.lines ?? []).filter((line) => !after?.lines.includes(line));
  const won = (after?.lines ?? []).filter((line) => !before?.lines.includes(line));
  return [
    `${sign} ${item?.section}: ${item?.title}`,
    ...lost.map((line) => `    - ${line}`),
    ...won.map((line) => `    + ${line}`),
    // Two charters that the signer distinguishes must never look equal here.
    ...(lost.length + won.length > 0 ? [] : [`    - ${plain(before?.content ?? '')}`, `    + ${plain(after?.content ?? '')}`]),
  ];
}
