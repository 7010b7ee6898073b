import { inWholeUnits } from '../../domain/amounts';
import { severalIn } from '../../domain/transactions';
import { hidesAmount, movesNothing } from '../../domain/transfers';
import type { Database } from '../../entities/database';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';

/** Temporal accepts a summary of at most 400 bytes including encryption. A workflow with a longer summary could never start. */
const SUMMARY_BYTES_MAX = 230;
const MORE = '…';

type Started = Pick<
  OutgoingEntity,
  | 'assetKind'
  | 'contract'
  | 'tokenId'
  | 'toAddress'
  | 'amountUnits'
  | 'assetSymbol'
  | 'assetDecimals'
  | 'assetVerified'
  | 'terms'
  | 'walletId'
  | 'network'
>;

/** The text that Temporal shows. The text is fixed when the workflow starts. */
export type StartWords = { readonly summary: string; readonly details: string };
export type WordsOf = (orgId: string, row: Dispatch) => Promise<StartWords | undefined>;

/**
 * Returns the text for the workflow of a transfer, and undefined for any other workflow. The amount and the recipient come from
 * the record. The routing must contain neither, because the relay's database role can read the routing of every organisation
 * (S15).
 */
export const recordWords =
  (db: Database): WordsOf =>
  async (orgId, { aggregateId, routing }) => {
    if (routing['workflow'] !== 'transfer') return undefined;
    const row = await outgoingStore.find(db.read(orgId), aggregateId);
    return row && startWords(routing['summary'] ?? 'Transfer', row);
  };

/** `title` is the summary from the routing. An amount that the network hides is left out. */
export function startWords(title: string, row: Started): StartWords {
  const isNothing = movesNothing(row);
  const amount = isNothing ? 'nothing' : amountInWords(row);
  const recipient = recipientInWords(row);
  return {
    summary: cut(isNothing ? title : `${title}: ${amount} to ${recipient}`),
    details: [
      title,
      `* Amount: ${amount}`,
      ...(hidesAmount(row.assetKind) ? [] : [`* In smallest units: ${row.amountUnits}`]),
      `* Recipient: ${recipient}`,
      `* Network: ${row.network}`,
      `* Wallet: ${row.walletId}`,
    ].join('\n'),
  };
}

function amountInWords({
  assetKind,
  contract,
  tokenId,
  amountUnits,
  assetSymbol,
  assetDecimals,
  assetVerified,
}: Started): string {
  if (assetKind === 'Erc721') return `token ${tokenId ?? ''} of ${contract}`;
  // A token can claim any symbol, so a symbol is shown only for a token that this service has verified.
  const name = (contract === null || assetVerified ? assetSymbol : null) ?? contract;
  const ofName = name === null ? '' : ` of ${name}`;
  if (hidesAmount(assetKind)) return `a hidden amount${ofName}`;
  const amount =
    assetDecimals === null
      ? `${amountUnits} smallest units${ofName}`
      : `${inWholeUnits(amountUnits, assetDecimals)}${name === null ? '' : ` ${name}`}`;
  return assetKind === 'Call' ? `a call with ${amount}` : amount;
}

/** With several outputs or calls, the row contains only the first recipient. */
function recipientInWords({ toAddress, terms }: Started): string {
  const several = severalIn(terms);
  if (several === 'Outputs') return 'the outputs of its transaction';
  return several === 'Calls' ? `${toAddress} and others` : toAddress;
}

function cut(line: string): string {
  if (Buffer.byteLength(line) <= SUMMARY_BYTES_MAX) return line;
  const kept = Buffer.from(line).subarray(0, SUMMARY_BYTES_MAX - Buffer.byteLength(MORE));
  // Drops a character that the limit has cut in two.
  return `${kept.toString('utf8').replace(/\uFFFD+$/, '')}${MORE}`;
}
