import { z } from 'zod';
import { findNetwork } from '../../chains/networks';
import { plain, quoted } from '../../operator/charters/plain';
import { jsonIn } from '../read-file';

const Book = z.array(
  z.strictObject({
    name: z.string().min(1).max(256),
    network: z.string().min(1).max(64),
    address: z.string().min(1).max(128),
  }),
);
export type AddressBook = z.infer<typeof Book>;

export const addressBookOf = (path: string | undefined): AddressBook =>
  path === undefined ? [] : jsonIn(path, Book, 'an address book: a list of {"name", "network", "address"}');

/** On EVM networks the case of letters is only a checksum. */
function isSameAddress(network: string, one: string, other: string): boolean {
  const isEvm = findNetwork(network)?.family === 'evm';
  return isEvm ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/** The recipient on one line. The names are only those that the person gave. */
export function recipientWords(book: AddressBook, network: string, address: string): string {
  const names = book.filter((one) => one.network === network && isSameAddress(network, one.address, address));
  const known = names.map(({ name }) => quoted(name)).join(', ');
  return `${plain(address)}  ${known === '' ? '(NOT IN YOUR ADDRESS BOOK)' : `(in your address book: ${known})`}`;
}
