import { inWholeUnits } from '../domain/amounts';
import { movesNothing } from '../domain/transfers';
import type { TransferEntity } from '../entities/transfers/transfer.entity';

/** Temporal takes summaries of 400 bytes, and encryption adds its own: a longer text would keep the workflow from ever starting. */
const SUMMARY_CHARS_MAX = 180;

type Started = Pick<
  TransferEntity,
  | 'walletId'
  | 'network'
  | 'assetKind'
  | 'contract'
  | 'toAddress'
  | 'amountUnits'
  | 'assetSymbol'
  | 'assetDecimals'
  | 'assetVerified'
> &
  Partial<Pick<TransferEntity, 'tokenId' | 'terms'>>;

/** What the Temporal UI shows of a transfer's workflow from its start: one line, and the same in full. Neither holds a secret. */
export function startWords(title: string, row: Started): { readonly summary: string; readonly details: string } {
  const { walletId, network, amountUnits } = row;
  const [amount, recipient] = [amountInWords(row), recipientInWords(row)];
  const line = movesNothing(row) ? `${title} on ${network}` : `${title}: ${amount} to ${recipient} on ${network}`;
  const isCut = line.length > SUMMARY_CHARS_MAX;
  return {
    summary: isCut ? `${line.slice(0, SUMMARY_CHARS_MAX - 1)}…` : line,
    details: [
      title,
      `* Amount: ${amount}`,
      ...(row.assetKind === 'Erc7984' ? [] : [`* In smallest units: ${amountUnits}`]),
      `* Recipient: ${recipient}`,
      `* Network: ${network}`,
      `* Wallet: ${walletId}`,
    ].join('\n'),
  };
}

function amountInWords(row: Started): string {
  const { assetKind, contract, tokenId, amountUnits, assetSymbol, assetDecimals, assetVerified } = row;
  if (movesNothing(row)) return 'nothing';
  if (assetKind === 'Erc721') return `token ${tokenId ?? ''} of ${contract}`;
  // A token may call itself what it likes, so its own symbol stands only for one that the service knows.
  const symbol = contract === null || assetVerified ? assetSymbol : null;
  const name = symbol ?? contract;
  // The network keeps such an amount to sender and recipient.
  if (assetKind === 'Erc7984') return `a hidden amount of ${name}`;
  if (assetDecimals === null) return `${amountUnits} smallest units${name === null ? '' : ` of ${name}`}`;
  return `${inWholeUnits(amountUnits, assetDecimals)}${name === null ? '' : ` ${name}`}`;
}

/** The row of a raw transaction of the Bitcoin family names the first of its recipients alone. */
const recipientInWords = ({ toAddress, terms }: Started): string =>
  terms?.family === 'utxo' ? 'the outputs of its transaction' : toAddress;
