import { z } from 'zod';
import { findNetwork } from '../../chains/networks';
import type { Family } from '../../domain/networks';
import { hidesAmount } from '../../domain/transfers';
import { plain, quoted } from '../../operator/charters/plain';
import type { CharterWallet } from '../../signer/charters/charter';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { evmAddressAsked } from '../../signer/judging/requests/evm/transfer-requested';
import { Units } from '../../signer/wire/schemas';
import { recipientWords } from '../content/address-book';
import { amountWords } from '../content/amount-words';
import { provableVerdict } from '../content/approval-content';
import { line } from '../content/content-words';
import { isTransferOf, type Movement } from '../content/movement';
import { assertVerified, NotVerified } from '../not-verified';
import { type Asking, type AskingWords, asSignerReads, walletAsked, walletLines } from './asking';

/** Only the fields that the lines show. The signer's own code reads the whole body. */
const Written = z.looseObject({
  kind: z.string(),
  to: z.string(),
  amount: Units.optional(),
  tokenId: Units.optional(),
  contract: z.string().optional(),
  mint: z.string().optional(),
  memo: z.string().optional(),
  createDestinationAccount: z.boolean().optional(),
  useDurableNonce: z.boolean().optional(),
  feeSponsorId: z.string().optional(),
});
type Written = z.infer<typeof Written>;

/** The fee ceiling is not read here, because the requester does not sign a fee ceiling. */
const NO_CEILING = '0';
const UNREAD =
  'The signer would refuse this body: the body does not ask for a transfer of this wallet in a form that this program can read.';

const asWritten = (text: string): string => text;
const ADDRESSES: Readonly<Record<Family, (text: string, network: string) => string>> = {
  evm: evmAddressAsked,
  solana: asWritten,
  utxo: asWritten,
};

function addressIn(text: string, name: string): string {
  const network = findNetwork(name);
  return network ? asSignerReads('a transfer', () => ADDRESSES[network.family](text, name)) : text;
}

function sponsorIn({ sponsorWallet }: CharterInForce, { feeSponsorId: id }: Written): Pick<Movement, 'sponsor'> {
  if (id === undefined) return {};
  const wallet = sponsorWallet(id);
  if (wallet) return { sponsor: { id, address: wallet.address } };
  throw new NotVerified(`The request names the fee sponsor ${plain(id)}, which the charter that you trust does not have.`);
}

function movementOf(charter: CharterInForce, { network, address }: CharterWallet, written: Written): Movement {
  const { to, amount = '1', tokenId, contract, mint, memo, createDestinationAccount, useDurableNonce } = written;
  const token = contract ?? mint;
  return {
    ...{ network, from: address, to: addressIn(to, network), amountUnits: amount, feeCeilingUnits: NO_CEILING },
    asset: token === undefined ? 'native' : addressIn(token, network),
    options: { memo, createDestinationAccount, useDurableNonce },
    ...(tokenId === undefined ? {} : { tokenId }),
    ...sponsorIn(charter, written),
  };
}

/** The verdict of the charter's policies that depend only on the content. */
export function verdictLines(charter: CharterInForce, content: Readonly<Record<string, unknown>>, userId: string) {
  const { outcome, blockedBy, groups } = provableVerdict(charter, { envelope: content }, userId);
  assertVerified(outcome !== 'Blocked', `The charter forbids this request, by the policy ${blockedBy.join(', ')}.`);
  return [...new Set(groups.map(({ policyId }) => policyId))].map((id) => {
    const policy = charter.content.policies.find((one) => one.id === id);
    return line('Then waits', `for approval, by the policy ${id} ${quoted(policy?.name ?? '')}`);
  });
}

export function transferWords(asking: Asking): AskingWords {
  const { charter, member, body, book } = asking;
  const wallet = walletAsked(asking);
  const written = Written.safeParse(JSON.parse(body)).data;
  assertVerified(written !== undefined, UNREAD);
  assertVerified(!hidesAmount(written.kind), 'The signer signs no hidden amounts under a charter.');
  const movement = movementOf(charter, wallet, written);
  assertVerified(isTransferOf(movement, body), UNREAD);
  const { network, to, asset, amountUnits: units, tokenId, sponsor } = movement;
  const { memo, createDestinationAccount, useDurableNonce } = written;
  const lines = [
    line('Asks for', 'a transfer'),
    ...walletLines(wallet),
    line('Recipient', recipientWords(book, network, to)),
    line('Amount', tokenId === undefined ? amountWords({ network, asset, units }) : `token ${tokenId} of ${plain(asset)}`),
    ...(tokenId === undefined ? [line('In units', units)] : []),
    ...(memo === undefined ? [] : [line('Memo', quoted(memo))]),
    ...(createDestinationAccount === true ? [line('And', 'pays for an account of the recipient if there is none')] : []),
    ...(useDurableNonce === true ? [line('And', 'can be sent later, because it uses a durable nonce')] : []),
    ...(sponsor === undefined ? [] : [line('Fee paid by', `${plain(sponsor.address)} (${plain(sponsor.id)})`)]),
    ...verdictLines(charter, movement, member.userId),
  ];
  return { lines, confirm: { what: 'the recipient', text: to } };
}
