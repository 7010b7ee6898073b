import { findNetwork } from '../../chains/networks';
import { plain } from '../../operator/charters/plain';
import { type AddressBook, recipientWords } from './address-book';
import { amountWords } from './amount-words';
import { Movement } from './movement';

/** The fields that have lines of their own. Every other field is shown as it is, so that nothing is signed unseen. */
const SHOWN: ReadonlySet<string> = new Set([
  'network',
  'from',
  'to',
  'asset',
  'amountUnits',
  'feeCeilingUnits',
  'tokenId',
  'sponsor',
]);

export const line = (name: string, text: string): string => `${name.padEnd(14)}${text}`;

export function networkWords(name: string): string {
  const network = findNetwork(name);
  if (!network) return `${plain(name)} (UNKNOWN TO THIS PROGRAM)`;
  return `${plain(name)} (${network.isMainnet ? 'MAINNET' : 'a test network'})`;
}

const rest = (content: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(content)
    .filter(([name]) => !SHOWN.has(name))
    .map(([name, value]) => line('Also signed', `${plain(name)}: ${plain(JSON.stringify(value))}`));

function movementLines(movement: Movement, book: AddressBook): readonly string[] {
  const { network, from, to, asset, amountUnits, feeCeilingUnits, tokenId, sponsor } = movement;
  return [
    line('Network', networkWords(network)),
    line('From', plain(from)),
    line(asset === 'call' ? 'Calls' : 'Recipient', recipientWords(book, network, to)),
    line(
      'Amount',
      tokenId === undefined ? amountWords({ network, asset, units: amountUnits }) : `token ${tokenId} of ${plain(asset)}`,
    ),
    line('Fee at most', amountWords({ network, asset: 'native', units: feeCeilingUnits })),
    ...(sponsor === undefined ? [] : [line('Fee paid by', `${plain(sponsor.address)} (${plain(sponsor.id)})`)]),
    ...rest(movement),
  ];
}

/** The content of a request in words, or field by field if this program does not know its form. */
export function contentLines(content: Readonly<Record<string, unknown>>, book: AddressBook): readonly string[] {
  const movement = Movement.safeParse(content).data;
  if (movement) return movementLines(movement, book);
  const { network, ...others } = content;
  return [...(typeof network === 'string' ? [line('Network', networkWords(network))] : []), ...rest(others)];
}
