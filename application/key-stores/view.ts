import type { KeyStoreFacts } from '../../domain/key-stores';

export type KeyStoreView = Pick<KeyStoreFacts, 'kind' | 'name' | 'reviewers'> & {
  readonly id: string;
  readonly primary: boolean;
};

export const keyStoreView = ({ storeId: id, kind, name, isPrimary: primary, reviewers = 1 }: KeyStoreFacts): KeyStoreView => ({
  ...{ id, kind, name, primary },
  ...(reviewers === 1 ? {} : { reviewers }),
});

/** A store in an event, which reports removed stores too. */
export const keyStoreSnapshot = (store: KeyStoreFacts) => ({ ...keyStoreView(store), state: store.state });
