import { type KeyStoreFacts, type KeyStoreKind, type KeyStoreState, reviewersOf, SOFTWARE_STORE } from '../../domain/key-stores';
import { KEY_STORE_CODE, type KeyStoreChange, type KeyStoreEntry } from '../../signer/wire/operator-api';
import { plain, quoted } from '../charters/plain';

const KIND_WORDS: Readonly<Record<KeyStoreKind, string>> = {
  Software: 'software store',
  OfflineSigner: 'offline store',
};
const STATE_WORDS: Readonly<Record<KeyStoreState, string>> = {
  Active: 'makes keys',
  Draining: 'MAKES NO NEW KEYS',
  Removed: 'REMOVED',
};
export type Stores = readonly KeyStoreFacts[];

/** The machine that signs does not know the names of the stores. */
const named = (storeId: string, stores: Stores): string => {
  const store = stores.find((one) => one.storeId === storeId);
  return store === undefined ? storeId : `${storeId} ${quoted(store.name)}`;
};

const reviewerWords = (reviewers: number): string =>
  reviewers === 1 ? '1 person must approve' : `${reviewers} different people must approve`;

const CHANGE_WORDS: {
  readonly [K in KeyStoreChange['kind']]: (change: Extract<KeyStoreChange, { kind: K }>, stores: Stores) => readonly string[];
} = {
  Add: ({ storeId, storeKind, name, reviewers = 1 }) => [
    `ADDS the ${KIND_WORDS[storeKind]} ${storeId} ${quoted(name)}`,
    `Each ceremony: ${reviewerWords(reviewers)}.`,
    'The store begins without keys. It does not become the primary store.',
  ],
  Name: ({ storeId, name }, stores) => [`NAMES the store ${named(storeId, stores)} ${quoted(name)}`],
  SetReviewers: ({ storeId, reviewers }, stores) => {
    const before = stores.find((store) => store.storeId === storeId);
    const isFewer = before !== undefined && reviewers < reviewersOf(before);
    return [
      `SETS THE REVIEWERS of the store ${named(storeId, stores)}. Each ceremony: ${reviewerWords(reviewers)}`,
      ...(before === undefined ? [] : [`${isFewer ? 'FEWER THAN BEFORE' : 'Before'}: ${reviewerWords(reviewersOf(before))}.`]),
    ];
  },
  MakePrimary: ({ storeId }, stores) => {
    const before = stores.find(({ isPrimary }) => isPrimary);
    return [
      `NEW KEYS COME FROM the store ${named(storeId, stores)} if the request names no store`,
      ...(before === undefined ? [] : [`They no longer come from the store ${named(before.storeId, stores)}.`]),
    ];
  },
  Drain: ({ storeId }, stores) => [
    `THE STORE ${named(storeId, stores)} MAKES NO NEW KEYS ANY MORE, and no key can be imported into it`,
    'Its keys stay usable. THIS CANNOT BE UNDONE: only a new store of another id can follow.',
  ],
  Remove: ({ storeId }, stores) => [
    `REMOVES the store ${named(storeId, stores)}, which has no keys`,
    'THIS CANNOT BE UNDONE: the id is never used again.',
  ],
};

export const changeLines = <K extends KeyStoreChange['kind']>(
  change: Extract<KeyStoreChange, { kind: K }>,
  stores: Stores = [],
): readonly string[] => CHANGE_WORDS[change.kind as K](change, stores);

/** The digest of the text, which people compare between machines, and the content of the entry in words. */
export function entryLines(text: string, entry: KeyStoreEntry, stores?: Stores): readonly string[] {
  const { organizationId, signerId, n, previous, dateIssued, change } = entry;
  return [
    `Entry         ${KEY_STORE_CODE.digest(text)}`,
    `Organisation  ${organizationId}`,
    `Signer        ${signerId}`,
    `Number        ${n}${previous === null ? ', the first entry' : `, after ${previous}`}`,
    `Issued        ${dateIssued}`,
    '',
    ...changeLines(change, stores),
  ];
}

export const storeLines = (stores: Stores = [SOFTWARE_STORE]): readonly string[] =>
  stores.map(({ storeId, kind, name, state, isPrimary, reviewers = 1 }) =>
    [
      `  ${storeId.padEnd(31)}  ${KIND_WORDS[kind].padEnd(14)}  ${STATE_WORDS[state]}`,
      `${isPrimary ? ', PRIMARY' : ''}${reviewers === 1 ? '' : `, ${reviewers} reviewers`}  ${plain(name)}`,
    ].join(''),
  );
