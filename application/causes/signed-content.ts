import { codecOf } from '../../chains/codecs';
import type { KeyStoreKind } from '../../domain/key-stores';
import type { NetworkName } from '../../domain/networks';
import type { TransactionTerms } from '../../domain/transactions';
import { contractOf, type FeePriority, optionsAtRequest, type TransferOptions } from '../../domain/transfers';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { canonical } from '../../platform/canonical';
import type { TransactionRequest, TransferRequest } from '../outgoing/family-forms';
import { type SignedRow, signedTermsOf } from './families';
import { proven, readingSigned } from './refused';

/** The columns that define what a request does, as opposed to the columns that come from the chain. */
type Content = Pick<OutgoingEntity, 'assetKind' | 'contract' | 'tokenId' | 'toAddress' | 'amountUnits' | 'priority'> & {
  readonly feeSponsorId: string | null;
  readonly options: Pick<TransferOptions, 'memo' | 'createDestinationAccount' | 'useDurableNonce'>;
  readonly terms: TransactionTerms | null;
  readonly askedNonce: number | null;
};

/** `storeKind` is absent if the request has one meaning for every store. Throws `UnprovenRequest`. */
export function assertSaysTransfer(row: OutgoingEntity, request: TransferRequest, storeKind?: KeyStoreKind): void {
  assertSame(
    row,
    readingSigned(() => transferIn(row.network, request, storeKind)),
  );
}

/** Throws `UnprovenRequest`. */
export function assertSaysTransaction(row: SignedRow, request: TransactionRequest): void {
  assertSame(
    row,
    readingSigned(() => transactionIn(row, request)),
  );
}

/** A speed-up must not become a different payment. */
export function assertSamePayment(row: OutgoingEntity, other: OutgoingEntity): void {
  const { walletId, network, fromAddress, sponsorAddress } = other;
  const isSameSender = row.walletId === walletId && row.network === network && row.fromAddress === fromAddress;
  proven(isSameSender && row.sponsorAddress === sponsorAddress, 'PaymentDiffers');
  proven(BigInt(row.feeCeilingUnits) <= BigInt(other.feeCeilingUnits), 'CeilingDiffers');
  // A replacement has its own priority and does not specify a nonce itself.
  assertSame({ ...row, priority: other.priority, askedNonce: other.askedNonce }, contentOf(other));
}

/** The row must be a transaction of zero native units to the wallet itself. */
export function assertPaysNobody(row: OutgoingEntity): void {
  const { assetKind, contract, tokenId, toAddress, fromAddress, amountUnits, terms, options } = row;
  const isNothing = assetKind === 'Native' && contract === null && tokenId === null && amountUnits === '0' && terms === null;
  const asked = optionsAtRequest(options);
  proven(isNothing && toAddress === fromAddress && Object.keys(asked).length === 0, 'PaysSomebody');
}

const contentOf = (row: OutgoingEntity): Content => row;

const plain = (value: unknown): string => canonical(JSON.parse(JSON.stringify(value)) as Parameters<typeof canonical>[0]);

function assertSame(row: Content, said: Content): void {
  const comparable = ({ memo, createDestinationAccount, useDurableNonce }: Content['options']) => [
    memo ?? null,
    createDestinationAccount ?? false,
    useDurableNonce ?? false,
  ];
  const columns = (one: Content) => {
    const { assetKind, contract, tokenId, toAddress, amountUnits, priority, feeSponsorId, terms, askedNonce, options } = one;
    return {
      assetKind,
      contract,
      tokenId,
      toAddress,
      amountUnits,
      priority,
      feeSponsorId,
      terms,
      askedNonce,
      options: comparable(options),
    };
  };
  const [stands, asked] = [columns(row), columns(said)];
  for (const name of Object.keys(asked) as (keyof typeof asked)[]) {
    proven(plain(stands[name]) === plain(asked[name]), `ContentDiffers ${name}`);
  }
}

function transferIn(network: NetworkName, request: TransferRequest, storeKind: KeyStoreKind | undefined): Content {
  const codec = codecOf(network);
  const contract = request.contract ?? request.mint;
  const { memo, createDestinationAccount = false, useDurableNonce = storeKind === 'OfflineSigner' } = request;
  return {
    assetKind: request.kind,
    contract: contract === undefined ? null : codec.parseAddress(contract),
    tokenId: request.tokenId ?? null,
    toAddress: codec.parseAddress(request.to),
    // An ERC-721 token is unique, so its amount is one.
    amountUnits: request.kind === 'Erc721' ? '1' : (request.amount ?? ''),
    priority: request.priority ?? 'Standard',
    feeSponsorId: request.feeSponsorId ?? null,
    options: { ...(memo === undefined ? {} : { memo }), createDestinationAccount, useDurableNonce } as Content['options'],
    terms: null,
    askedNonce: null,
  };
}

function transactionIn(row: SignedRow, request: TransactionRequest): Content {
  const { terms, effect, askedNonce = null } = signedTermsOf(row, request);
  const { asset, recipient, amountUnits } = effect;
  return {
    assetKind: asset.kind,
    contract: asset.kind === 'Call' ? null : contractOf(asset),
    tokenId: null,
    toAddress: recipient,
    amountUnits: amountUnits.toString(),
    priority: 'Standard' satisfies FeePriority,
    feeSponsorId: 'feeSponsorId' in request ? request.feeSponsorId : null,
    options: {},
    terms,
    askedNonce,
  };
}
