import { findNetwork } from '../../chains/networks';
import type { Family } from '../../domain/networks';
import type { EvmCall } from '../../domain/transactions';
import { contractOf } from '../../domain/transfers';
import { plain } from '../../operator/charters/plain';
import type { CharterWallet } from '../../signer/charters/charter';
import { effectRequested } from '../../signer/judging/requests/evm/is-effect-of';
import { callAsked } from '../../signer/judging/requests/evm/transaction-requested';
import { operationsAsked } from '../../signer/judging/requests/evm/user-operations-requested';
import { type AddressBook, recipientWords } from '../content/address-book';
import { amountWords } from '../content/amount-words';
import { line } from '../content/content-words';
import { NotVerified } from '../not-verified';
import { type Asking, type AskingWords, asSignerReads, walletAsked, walletLines } from './asking';

const BYTE_DIGITS = 2;

/** The effect of a call, to the extent that its bytes show it. */
export function callLines(network: string, call: EvmCall, book: AddressBook): readonly string[] {
  const { asset, recipient, amountUnits } = effectRequested(call);
  const { dataHex, authorizationList } = call;
  const units = amountUnits.toString();
  const token = 'tokenId' in asset ? `token ${asset.tokenId} of ${asset.contract}` : undefined;
  const name = asset.kind === 'Call' ? 'call' : (contractOf(asset) ?? 'native');
  return [
    line(asset.kind === 'Call' ? 'Calls' : 'Recipient', recipientWords(book, network, recipient)),
    line('Amount', token ?? amountWords({ network, asset: name, units })),
    ...(asset.kind === 'Call'
      ? [line('Data', `${(dataHex.length - '0x'.length) / BYTE_DIGITS} bytes, whose EFFECT IS UNKNOWN to this program`)]
      : []),
    ...authorizationList.map(({ address }) => line('Delegates', `an account to the code of ${plain(address)} (EIP-7702)`)),
  ];
}

function evmLines({ body, book, charter }: Asking, wallet: CharterWallet): readonly string[] {
  const isSponsored = (JSON.parse(body) as { readonly kind?: unknown }).kind === 'UserOperations';
  const what = 'a transaction of this wallet';
  if (!isSponsored) {
    const call = asSignerReads(what, () => callAsked({ body }, wallet.network, wallet.address));
    return callLines(wallet.network, call, book);
  }
  const { calls, feeSponsorId } = asSignerReads(what, () => operationsAsked({ body }));
  const sponsor = charter.sponsorWallet(feeSponsorId);
  if (!sponsor) throw new NotVerified(`The charter that you trust does not have the fee sponsor ${plain(feeSponsorId)}.`);
  return [
    ...calls.flatMap((call) => callLines(wallet.network, { ...call, type: 2, accessList: [], authorizationList: [] }, book)),
    line('Fee paid by', `${plain(sponsor.address)} (${plain(feeSponsorId)})`),
  ];
}

const unread = () => [line('Effect', 'UNKNOWN to this program, which does not read raw transactions of this network')];
const EFFECTS: Readonly<Record<Family, (asking: Asking, wallet: CharterWallet) => readonly string[]>> = {
  evm: evmLines,
  solana: unread,
  utxo: unread,
};

export function transactionWords(asking: Asking): AskingWords {
  const wallet = walletAsked(asking);
  const network = findNetwork(wallet.network);
  const lines = [
    line('Asks for', 'a raw transaction'),
    ...walletLines(wallet),
    ...(network ? EFFECTS[network.family] : unread)(asking, wallet),
  ];
  return { lines, confirm: { what: 'the wallet', text: wallet.id } };
}
