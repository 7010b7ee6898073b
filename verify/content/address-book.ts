import { z } from 'zod';
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

const HEX_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** The letter case of a hexadecimal address is only a checksum. */
const isSameAddress = (one: string, other: string): boolean =>
  one === other || (HEX_ADDRESS.test(one) && one.toLowerCase() === other.toLowerCase());

/** The recipient on one line, with names only from the person's own address book. */
export function recipientWords(book: AddressBook, network: string, address: string): string {
  const names = book.filter((one) => one.network === network && isSameAddress(one.address, address));
  const known = names.map(({ name }) => quoted(name)).join(', ');
  return `${plain(address)}  ${known === '' ? '(NOT IN YOUR ADDRESS BOOK)' : `(in your address book: ${known})`}`;
}
