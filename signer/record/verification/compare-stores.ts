import type { SealedStore } from '../journal/sealed-store';

type Item = readonly [Buffer, Buffer];
type Items = AsyncGenerator<Item>;

const after = async (items: Items): Promise<Item | undefined> => {
  const { value, done } = await items.next();
  return done ? undefined : value;
};

/** Below 0 if only the first store has the next name, and above 0 if only the second store has the next name. */
function order(one: Item | undefined, other: Item | undefined): number {
  if (one && other) return Buffer.compare(one[0], other[0]);
  return one ? -1 : 1;
}

/** The difference between an index and the index that follows from the journal, as text; undefined if both are equal. */
export async function differenceOf(index: SealedStore, wanted: SealedStore): Promise<string | undefined> {
  const [own, theirs] = [index.content(), wanted.content()];
  let [one, other] = [await after(own), await after(theirs)];
  let first: string | undefined;
  let count = 0;
  const note = (words: string) => {
    count += 1;
    first ??= words;
  };
  while (one || other) {
    const side = order(one, other);
    const name = JSON.stringify((side <= 0 ? one : other)?.[0].toString());
    if (side < 0) note(`it has the name ${name}, which does not follow from the journal`);
    else if (side > 0) note(`it lacks the name ${name}, which follows from the journal`);
    else if (other && !one?.[1].equals(other[1])) note(`its value of ${name} is not the one that follows from the journal`);
    if (side <= 0) one = await after(own);
    if (side >= 0) other = await after(theirs);
  }
  return first === undefined || count === 1 ? first : `${first}; ${count} names differ in all`;
}
