import { type OrderSigner, orderSigner } from '../../../../activities/fleets/order-signer';
import type { FamilySigning } from '../../../../activities/outgoing/family-forms';
import { TransactionBody } from '../../../../application/bodies/transactions';
import { TransferBody } from '../../../../application/bodies/transfers';
import { signedTermsOf } from '../../../../application/causes/families';
import { assertSaysTransaction, assertSaysTransfer } from '../../../../application/causes/signed-content';
import { codecOf } from '../../../../chains/codecs';
import type { KeyForm } from '../../../../domain/keys';
import type { NetworkName } from '../../../../domain/networks';
import { contractOf, type TransferOptions } from '../../../../domain/transfers';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import type { FamilyOp, FamilyOrders } from '../../../../signer/protocol';

export type Wallet = { readonly network: NetworkName; readonly address: string; readonly publicKeyHex: string };

/** Key rows with dummy ciphertexts. */
export const keyRows = (publicKeyHex: string, form: KeyForm = { scheme: 'ECDSA', curve: 'secp256k1' }) => ({
  orgId: 'or-1',
  keyId: 'key-1',
  sealed: { orgId: 'or-1', keyId: 'key-1', ...form, publicKeyHex, dekId: 'dek-1', ciphertextHex: '00'.repeat(60) },
  dek: { orgId: 'or-1', dekId: 'dek-1', kekId: 'kek-1', wrappedHex: '00'.repeat(60), commitHex: '00'.repeat(32) },
  issuedAt: '2026-01-02T03:04:05.000Z',
  notAfter: '2026-01-02T03:05:05.000Z',
});

const COMMON = {
  terms: null,
  sponsorAddress: null,
  askedNonce: null,
  encryptedAmount: null,
  replacementKind: null,
  options: {},
  tokenId: null,
};

const rowOf = ({ network, address }: Wallet, columns: Partial<OutgoingEntity>): OutgoingEntity =>
  Object.assign(new OutgoingEntity(), {
    ...COMMON,
    ...{ network, fromAddress: address, laneAddress: address, feeCeilingUnits: '1000000000000000000' },
    ...columns,
  });

type Body = Readonly<Record<string, unknown>>;
export const SPONSOR = 'fs-1';

/** The row that the service records for the body. The worker's own check of the row accepts the row. */
export function transferRow(wallet: Wallet, body: Body, columns: Partial<OutgoingEntity> = {}): OutgoingEntity {
  const { travelRule: _told, ...request } = TransferBody.parse(body);
  const { memo, createDestinationAccount, useDurableNonce } = body as TransferOptions;
  const { contract, mint } = body;
  const token = contract ?? mint;
  const codec = codecOf(wallet.network);
  const row = rowOf(wallet, {
    form: 'Transfer',
    requestBody: body,
    assetKind: request.kind,
    contract: typeof token === 'string' ? codec.parseAddress(token) : null,
    tokenId: 'tokenId' in request ? request.tokenId : null,
    toAddress: codec.parseAddress(request.to),
    amountUnits: 'amount' in request ? request.amount : '1',
    priority: request.priority ?? 'Standard',
    feeSponsorId: request.feeSponsorId ?? null,
    externalId: request.externalId ?? null,
    options: {
      ...(memo === undefined ? {} : { memo }),
      ...(createDestinationAccount ? { createDestinationAccount } : {}),
      ...(useDurableNonce ? { useDurableNonce } : {}),
    },
    ...columns,
  });
  assertSaysTransfer(row, request);
  return row;
}

/** Like `transferRow`, but for a raw transaction. `tokens` are the contracts that the simulated chain reports as tokens. */
export function transactionRow(wallet: Wallet, body: Body, columns: Partial<OutgoingEntity> = {}): OutgoingEntity {
  const request = TransactionBody.parse(body);
  const { publicKeyHex } = wallet;
  const base = rowOf(wallet, {
    form: 'Transaction',
    requestBody: body,
    priority: 'Standard',
    feeSponsorId: 'feeSponsorId' in request ? request.feeSponsorId : null,
    externalId: request.externalId ?? null,
    ...columns,
  });
  const { terms, effect, askedNonce = null } = signedTermsOf({ ...base, publicKeyHex }, request);
  const { asset, recipient: toAddress, amountUnits } = effect;
  const row = Object.assign(base, {
    ...{ terms, askedNonce, toAddress, amountUnits: amountUnits.toString(), assetKind: asset.kind },
    contract: asset.kind === 'Call' ? null : contractOf(asset),
  });
  assertSaysTransaction({ ...row, publicKeyHex }, request);
  return row;
}

class Asked extends Error {
  constructor(readonly order: unknown) {
    super('the signer was asked');
  }
}

/** The order that the worker's own code makes from the row. */
export async function orderMade<Op extends FamilyOp>(
  sign: (signer: OrderSigner) => FamilySigning,
  row: OutgoingEntity,
  {
    rows,
    payload,
  }: { readonly rows: ReturnType<typeof keyRows> & { readonly replaces?: string }; readonly payload: Partial<PayloadEntity> },
): Promise<FamilyOrders[Op]> {
  const ask = async (order: unknown): Promise<never> => {
    throw new Asked(order);
  };
  const { sealed, dek, ...others } = rows;
  const { keyId, publicKeyHex } = sealed;
  const order = {
    requestId: 'tr-1',
    ...(row.externalId === null ? {} : { intentId: `${row.form === 'Transfer' ? 'transfer' : 'transaction'}:${row.externalId}` }),
    ...{ network: row.network, feeCeilingUnits: row.feeCeilingUnits, bytesHex: payload.unsignedHex ?? '0x00', ...others },
    custody: { kind: 'Software', keyId, publicKeyHex, sealed, dek } as const,
  };
  const whole = Object.assign(new PayloadEntity(), {
    ...{ unsignedHex: order.bytesHex, digestHex: '', maxFeeUnits: '0', nonce: null, context: null },
    ...payload,
  });
  try {
    await sign(orderSigner({ signTransfer: ask, signSponsored: ask, signUtxo: ask, signSolana: ask }, ask)).sign(
      row,
      whole,
      order,
    );
  } catch (error) {
    if (error instanceof Asked) return error.order as FamilyOrders[Op];
    throw error;
  }
  throw new Error('the signer was not asked');
}
