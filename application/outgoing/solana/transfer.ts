import { solanaCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import type { SolanaMint, SolanaReader } from '../../../chains/solana/types';
import type { KeyStoreKind } from '../../../domain/key-stores';
import { withheldOf } from '../../../domain/token-transfer-fee';
import { contractOf, type TransferAsset, type TransferOptions } from '../../../domain/transfers';
import { addressAt, badField } from '../../request-faults';
import type { Services } from '../../services';
import { assetColumns, assetOf } from '../../wallets/assets';
import type { SigningWallet } from '../../wallets/signing-wallets';
import type { UsableWallet } from '../../wallets/wallets';
import type { ReadTransfer, TransferRequest } from '../family-forms';
import { durableNoncesOf } from './nonce-accounts';

const MEMO = /^[a-zA-Z0-9]{1,64}$/;
/** The size of a token account without extensions. Extensions make an account larger and more expensive. */
const TOKEN_ACCOUNT_BYTES = 165;
const U64_MAX = 2n ** 64n - 1n;

/** Throws `InvalidAddress`, `InvalidRequest` or `AssetNotSupported`. */
export const readSolanaTransfer: ReadTransfer = async (services, wallet, request) => {
  const codec = solanaCodecOf(wallet.network);
  const toAddress = addressAt('to', () => codec.parseAddress(request.to));
  const asset = assetIn(request, (text) => codec.parseAddress(text));
  const options = optionsIn(wallet, request);
  if (request.amount === undefined) throw badField('amount', 'is required');
  if (BigInt(request.amount) > U64_MAX) throw badField('amount', 'must not exceed 2^64 - 1, the most that an account can hold');
  const reader = inFamily('solana', services.readers(wallet.network));
  let withheldUnits = 0n;
  if (asset.kind === 'Native') await assertNative(reader, wallet, toAddress, BigInt(request.amount));
  else withheldUnits = await assertToken(reader, wallet, toAddress, { ...request, amount: request.amount }, asset);
  if (options.useDurableNonce) await assertNonces(services, reader, wallet);
  const info = await assetOf(services, wallet.network, asset);
  return {
    assetKind: asset.kind,
    contract: contractOf(asset),
    toAddress,
    amountUnits: request.amount,
    options: { ...options, ...(withheldUnits > 0n ? { withheldUnits: withheldUnits.toString() } : {}) },
    priority: request.priority ?? 'Standard',
    ...assetColumns(info),
  };
};

function assetIn({ kind, mint }: TransferRequest, parse: (text: string) => string): TransferAsset {
  if (kind === 'Native') return { kind };
  if ((kind !== 'Spl' && kind !== 'Spl2022') || mint === undefined) throw badField('kind', `${kind} is not for this network`);
  return { kind, contract: addressAt('mint', () => parse(mint)) };
}

/** A device signs only under a durable nonce, because a blockhash expires within minutes. */
function optionsIn({ storeKind }: SigningWallet, request: TransferRequest): TransferOptions {
  const { memo, createDestinationAccount, useDurableNonce = storeKind === 'OfflineSigner' } = request;
  if (memo !== undefined && !MEMO.test(memo)) throw badField('memo', 'must be 1 to 64 letters and digits');
  return {
    ...(memo === undefined ? {} : { memo }),
    ...(createDestinationAccount ? { createDestinationAccount } : {}),
    ...(useDurableNonce ? { useDurableNonce } : {}),
  };
}

async function assertNative(reader: SolanaReader, { address }: UsableWallet, to: string, amount: bigint): Promise<void> {
  const [held, [theirs], rent] = await Promise.all([reader.nativeBalance(address), reader.accounts([to]), reader.rentUnits(0)]);
  if (amount > held) throw badField('amount', `is more than the wallet holds: ${held}`);
  if (theirs === undefined && amount < rent)
    throw badField('amount', `must be at least ${rent}: the network keeps no account with less`);
}

type Held = TransferRequest & { readonly amount: string };
type Token = Extract<TransferAsset, { readonly contract: string }>;

/**
 * These checks run before anything is recorded, and again when the transfer is built. Returns the amount that the token
 * withholds from the transfer.
 */
async function assertToken(reader: SolanaReader, wallet: UsableWallet, to: string, request: Held, asset: Token): Promise<bigint> {
  const codec = solanaCodecOf(wallet.network);
  const mint = await reader.mint(asset.contract);
  if (mint === undefined) throw badField('mint', 'is not a token of this network');
  if (mint.program !== asset.kind)
    throw badField('kind', `the token belongs to another program: use the kind for ${mint.program}`);
  assertSendable(mint);
  if (!codec.isOnCurve(to)) throw badField('to', 'is an address without a key: name the owner, not a token account');
  const accounts = await Promise.all(
    [wallet.address, to].map((owner) => codec.associatedTokenAddress(owner, asset.contract, mint.program)),
  );
  const [held, theirs] = await reader.tokenAccounts(accounts);
  if (held === undefined || held.units < BigInt(request.amount))
    throw badField('amount', `is more than the wallet holds: ${held?.units ?? 0n}`);
  if (held.isFrozen) throw badField('mint', 'the account of the wallet for this token is frozen');
  if (theirs === undefined && request.createDestinationAccount !== true)
    throw badField('createDestinationAccount', 'the recipient has no account for this token: true creates one and pays for it');
  if (theirs === undefined) await assertRent(reader, wallet);
  if (theirs?.isFrozen) throw badField('to', 'the account of the recipient for this token is frozen');
  if (theirs && theirs.owner !== to) throw badField('to', 'the account for this token now belongs to another owner');
  if (theirs?.needsMemo && request.memo === undefined) throw badField('memo', 'is required by the recipient');
  return withheldOf(mint, BigInt(request.amount));
}

/**
 * The wallet pays the rent of the account that the transfer creates. The sponsor never pays the rent, because the recipient may
 * close the account and keep the rent.
 */
async function assertRent(reader: SolanaReader, { address }: UsableWallet): Promise<void> {
  const [held, rent] = await Promise.all([reader.nativeBalance(address), reader.rentUnits(TOKEN_ACCOUNT_BYTES)]);
  if (held < rent)
    throw badField('createDestinationAccount', `needs ${rent} for the account, which the wallet pays: it holds ${held}`);
}

function assertSendable({ blockers }: SolanaMint): void {
  if (blockers.includes('NonTransferable')) throw badField('mint', 'is a token that cannot be transferred');
  if (blockers.includes('TransferHook'))
    throw badField('mint', 'is a token whose transfers run a program of their own: not supported');
  if (blockers.includes('Paused')) throw badField('mint', 'is a token whose transfers are paused');
}

const HOW_TO_MAKE: Readonly<Record<KeyStoreKind, (address: string) => string>> = {
  Software: () => 'broadcast a transaction of kind CreateSolanaNonceAccounts first',
  OfflineSigner: (address) =>
    `from a wallet of the software store, broadcast a transaction of kind CreateSolanaNonceAccounts with nonceAuthority ${address} first`,
};

async function assertNonces(services: Services, chain: SolanaReader, wallet: SigningWallet): Promise<void> {
  const { orgId, address, storeKind } = wallet;
  if ((await durableNoncesOf(services.db.read(orgId), chain, wallet)).length > 0) return;
  throw badField('useDurableNonce', `the wallet has no nonce accounts: ${HOW_TO_MAKE[storeKind](address)}`);
}
