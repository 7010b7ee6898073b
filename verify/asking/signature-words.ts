import { findNetwork } from '../../chains/networks';
import type { Family } from '../../domain/networks';
import { plain, quoted } from '../../operator/charters/plain';
import type { CharterWallet } from '../../signer/charters/charter';
import { callToSign, type WrittenTransaction } from '../../signer/judging/requests/evm/request-terms';
import { RequestedSignature, WalletSignature } from '../../signer/judging/requests/signature-body';
import { readSignedBody } from '../../signer/judging/requests/signed-body';
import type { AddressBook } from '../content/address-book';
import { line } from '../content/content-words';
import { assertVerified } from '../not-verified';
import { type Asking, type AskingWords, asSignerReads, walletAsked, walletLines } from './asking';
import { callLines } from './transaction-words';
import { verdictLines } from './transfer-words';

type Asked = { readonly wallet: CharterWallet; readonly body: RequestedSignature; readonly book: AddressBook };

const UNREAD = 'which this program does not read: the body below is what you sign';

function evmLines(transaction: WrittenTransaction, { wallet, book }: Asked): readonly string[] {
  const call = asSignerReads('a transaction of this wallet', () => callToSign(transaction, wallet.network, wallet.address));
  return [line('Signs', 'a transaction'), ...callLines(wallet.network, call, book)];
}

const unread = () => [line('Signs', `a transaction, ${UNREAD}`)];
const TRANSACTIONS: Readonly<Record<Family, (transaction: WrittenTransaction, asked: Asked) => readonly string[]>> = {
  evm: evmLines,
  solana: unread,
  utxo: unread,
};

/** The signature leaves the service, and anyone who gets the signature can use it. */
function effectLines(asked: Asked): readonly string[] {
  const { wallet, body } = asked;
  switch (body.kind) {
    case 'Hash':
      return [line('Signs', 'a HASH. Nothing shows what it stands for: it can move everything that the key holds')];
    case 'Message':
    case 'Bip322':
      return [line('Signs', `bytes as a message, ${UNREAD}`)];
    case 'Eip191':
      return [line('Signs', `the message ${quoted(body.message)}`)];
    case 'Eip712': {
      const { name = '', chainId, verifyingContract = 'no contract' } = body.domain;
      return [
        line('Signs', `typed data for ${quoted(name)}, ${plain(verifyingContract)}, chain ${chainId ?? 'ANY'}`),
        line('', 'such data can give others the right to move tokens: the body below is what you sign'),
      ];
    }
    case 'Eip7702':
      return [line('Signs', `a DELEGATION of the account to the code of ${plain(body.address)} (EIP-7702)`)];
    case 'Transaction': {
      const network = findNetwork(wallet.network);
      return network ? TRANSACTIONS[network.family](body.transaction, asked) : unread();
    }
    case 'Psbt':
      return [line('Signs', `a transaction (PSBT), ${UNREAD}`)];
    case 'SvcSmartAccountTransaction':
      return [line('Signs', `${body.structured.userOperations.length} calls of a smart account, ${UNREAD}`)];
  }
}

function signatureWords(asking: Asking, wallet: CharterWallet, body: RequestedSignature): readonly string[] {
  const { charter, member, book } = asking;
  assertVerified(
    body.network === undefined || body.network === wallet.network || body.kind !== 'Transaction',
    `The body is for another network than the wallet, namely ${plain(body.network ?? '')}.`,
  );
  return [...effectLines({ wallet, body, book }), ...verdictLines(charter, { keyId: wallet.keyId }, member.userId)];
}

export function walletSignatureWords(asking: Asking): AskingWords {
  const wallet = walletAsked(asking);
  const body = asSignerReads('a signature', () => readSignedBody(WalletSignature, asking));
  const lines = [line('Asks for', 'a signature'), ...walletLines(wallet), ...signatureWords(asking, wallet, body)];
  return { lines, confirm: { what: 'the wallet', text: wallet.id } };
}

/** The signature is valid for all wallets of the key. */
export function keySignatureWords(asking: Asking): AskingWords {
  const { charter, params } = asking;
  const { keyId = '' } = params;
  const wallets = charter.walletsOfKey(keyId);
  const [first] = wallets;
  assertVerified(first !== undefined, `The charter that you trust has no wallet of the key ${plain(keyId)}.`);
  const body = asSignerReads('a signature', () => readSignedBody(RequestedSignature, asking));
  const named = wallets.find(({ network }) => network === body.network) ?? first;
  const lines = [
    line('Asks for', 'a signature with a key, valid for all wallets of the key'),
    line('Key', keyId),
    ...wallets.flatMap(walletLines),
    ...signatureWords(asking, named, body),
  ];
  return { lines, confirm: { what: 'the key', text: keyId } };
}
