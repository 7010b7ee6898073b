import { solanaCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import {
  NONCE_ACCOUNT_BYTES,
  NONCE_ACCOUNT_RENT_UNITS_MAX,
  NONCE_ACCOUNTS_AT_ONCE_MAX,
  nonceSeedsOf,
} from '../../../domain/nonce-accounts';
import type { SolanaRawTerms } from '../../../domain/transactions';
import { contractOf, type FeePriority } from '../../../domain/transfers';
import { addressAt, badField } from '../../request-faults';
import type { Services } from '../../services';
import { assetColumns, assetIfAny } from '../../wallets/assets';
import type { SigningWallet } from '../../wallets/signing-wallets';
import type { UsableWallet } from '../../wallets/wallets';
import type { ReadTransaction } from '../family-forms';
import { assertAuthority } from './nonce-authority';

type Named = { readonly externalId?: string | undefined };
export type SolanaTransactionRequest =
  | ({ readonly kind: 'Transaction'; readonly transaction: string } & Named)
  | ({
      readonly kind: 'CreateSolanaNonceAccounts';
      readonly nonceAuthority?: string | undefined;
      readonly count?: number | undefined;
      readonly priority?: FeePriority | undefined;
    } & Named);

/** Compute units of one built-in instruction. Each account needs two instructions; the compute budget needs another two. */
const UNITS_PER_INSTRUCTION = 150;
/** A placeholder: signing fills in the blockhash. */
const ANY_BLOCKHASH = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';

/** Throws `InvalidRequest` with the path of the fault. */
export const readSolanaTransaction: ReadTransaction<SolanaTransactionRequest> = async (services, wallet, request) => {
  const codec = solanaCodecOf(wallet.network);
  const terms =
    request.kind === 'Transaction' ? rawTerms(wallet, request.transaction) : await nonceAccountTerms(services, wallet, request);
  const { maxFeeUnits } = codec.buildRaw(terms, ANY_BLOCKHASH);
  const { feeCeilingUnits } = networkOf(wallet.network);
  if (maxFeeUnits > feeCeilingUnits)
    throw badField('transaction', `asks for fees above the ceiling of ${feeCeilingUnits} on ${wallet.network}`);
  const { asset, recipient, amountUnits } = codec.effectOf(terms.call.messageHex);
  const info = asset.kind === 'Call' ? undefined : await assetIfAny(services, wallet.network, asset);
  return {
    terms,
    assetKind: asset.kind,
    contract: asset.kind === 'Call' ? null : contractOf(asset),
    toAddress: recipient,
    amountUnits: amountUnits.toString(),
    priority: 'Standard',
    ...assetColumns(info),
  };
};

/** Throws `InvalidRequest` also for a blockhash, which expires before a device can sign. */
function rawTerms({ network, address, storeKind }: SigningWallet, text: string): SolanaRawTerms {
  const codec = solanaCodecOf(network);
  const terms = codec.termsOf(text, address, 'body.transaction');
  // Only a message under a durable nonce has no place for a blockhash.
  const isDurable = codec.buildRaw(terms, ANY_BLOCKHASH).bytesHex === terms.call.messageHex;
  if (storeKind === 'OfflineSigner' && !isDurable)
    throw badField('transaction', 'must use a durable nonce: the key of the wallet lies in an offline store');
  return terms;
}

type Creation = Extract<SolanaTransactionRequest, { readonly kind: 'CreateSolanaNonceAccounts' }>;

/** Takes the first seeds whose accounts do not exist on the network yet. */
async function nonceAccountTerms(services: Services, wallet: UsableWallet, request: Creation): Promise<SolanaRawTerms> {
  const { network, address } = wallet;
  const { count = 1, nonceAuthority, priority = 'Standard' } = request;
  if (count < 1 || count > NONCE_ACCOUNTS_AT_ONCE_MAX) throw badField('count', `must be 1 to ${NONCE_ACCOUNTS_AT_ONCE_MAX}`);
  const codec = solanaCodecOf(network);
  const authority =
    nonceAuthority === undefined ? address : addressAt('nonceAuthority', () => codec.parseAddress(nonceAuthority));
  if (authority !== address) await assertAuthority(services, wallet, authority);
  const reader = inFamily('solana', services.readers(network));
  const seeds = nonceSeedsOf(address, authority);
  const all = await Promise.all(seeds.map(async (seed) => ({ seed, address: await codec.seedAddress(address, seed) })));
  const [found, rentUnits, price, held] = await Promise.all([
    reader.accounts(all.map((one) => one.address)),
    reader.rentUnits(NONCE_ACCOUNT_BYTES),
    reader.unitPrice(priority, [address]),
    reader.nativeBalance(address),
  ]);
  if (rentUnits > NONCE_ACCOUNT_RENT_UNITS_MAX)
    throw badField('count', `needs ${rentUnits} for each account, more than the limit of ${NONCE_ACCOUNT_RENT_UNITS_MAX}`);
  const accounts = all.filter((_, index) => found[index] === undefined).slice(0, count);
  if (accounts.length < count) throw badField('count', `is more than the ${all.length} accounts that a wallet can have`);
  if (held < rentUnits * BigInt(count))
    throw badField('count', `takes ${rentUnits} for each account, and the wallet holds ${held}`);
  const { bytesHex } = codec.buildNonceAccounts(
    { from: address, authority, accounts, rentUnits },
    {
      lifetime: { kind: 'blockhash', blockhash: ANY_BLOCKHASH, lastValidBlockHeight: 0n },
      computeUnitLimit: UNITS_PER_INSTRUCTION * (2 * count + 2),
      microLamportsPerUnit: price,
    },
  );
  return { ...codec.termsOf(bytesHex, address, 'body'), blockhash: null };
}
