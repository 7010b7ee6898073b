import { plain, quoted } from '../../operator/charters/plain';
import type { CharterCredential, CharterMember, CharterWallet } from '../../signer/charters/charter';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import type { AddressBook } from '../content/address-book';
import { line, networkWords } from '../content/content-words';
import { NotVerified } from '../not-verified';

/** A request that a member is about to sign. `params` are the parameters of its path. */
export type Asking = {
  readonly charter: CharterInForce;
  readonly member: CharterMember;
  readonly credential: CharterCredential;
  readonly params: Readonly<Record<string, string>>;
  /** The exact text of the body. */
  readonly body: string;
  readonly book: AddressBook;
};

/** The person types the last characters of `confirm.text`. */
export type AskingWords = {
  readonly lines: readonly string[];
  readonly confirm: { readonly what: string; readonly text: string };
};

/** Throws `NotVerified` unless the charter contains the wallet that the path names. */
export function walletAsked({ charter, params: { walletId = '' } }: Asking): CharterWallet {
  const wallet = charter.wallet(walletId);
  if (wallet) return wallet;
  throw new NotVerified(`The request is for the wallet ${plain(walletId)}, which the charter that you trust does not have.`);
}

export const walletLines = ({ id, network, address, tags }: CharterWallet): readonly string[] => [
  line('Wallet', id),
  line('Tags', tags.length === 0 ? 'none' : tags.map(quoted).join(', ')),
  line('Network', networkWords(network)),
  line('From', plain(address)),
];

/** The id of a user, a wallet or a policy, with a mark if the charter does not contain the id. */
export const namedIn =
  ({ content, member, wallet }: CharterInForce) =>
  (id: string): string => {
    const isPolicy = [...content.policies, ...content.changePolicies].some((policy) => policy.id === id);
    return isPolicy || member(id) || wallet(id) ? id : `${plain(id)} (NOT IN THE CHARTER)`;
  };

/** Reads a body with the signer's own code. Throws `NotVerified` for a body that the signer would refuse. */
export function asSignerReads<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch {
    // The body is untrusted text, so any error of its parser means that the body does not request `what`.
    throw new NotVerified(`The signer would refuse this body: the body does not ask for ${what}.`);
  }
}
