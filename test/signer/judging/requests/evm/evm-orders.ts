import { addr, authorization, Transaction } from 'micro-eth-signer';
import { createEvmSigning } from '../../../../../activities/outgoing/evm/signing';
import { evmCodecOf } from '../../../../../chains/codecs';
import type { NetworkName } from '../../../../../domain/networks';
import { evmTerms } from '../../../../../domain/transactions';
import type { OutgoingEntity } from '../../../../../entities/outgoing/outgoing.entity';
import type { SignSponsoredOrder, SignTransferOrder } from '../../../../../signer/protocol';
import { COMPRESSED, SECRET } from '../../../../chains/utxo/coins';
import { keyRows, orderMade, type Wallet } from '../requested-orders';

export const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
export const FROM = addr.fromPublicKey(COMPRESSED);
export const walletOn = (network: NetworkName): Wallet => ({ network, address: FROM, publicKeyHex: COMPRESSED });
export const ROWS = keyRows(COMPRESSED);
const SPONSOR_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const FEES = { gas: 80_000n, maxFeePerGas: 7n };

/** Members of the order that follow from the bytes, the key rows or the clock, or that the caller compares. */
export const FREE_IN_ORDER = [
  'bytesHex',
  'chainId',
  'dek',
  'feeCeilingUnits',
  'issuedAt',
  'keyId',
  'notAfter',
  'orgId',
  'requestId',
  'sealed',
];

const signs = (signer: Parameters<typeof createEvmSigning>[0]) => createEvmSigning(signer, undefined as never);

/** The bytes that the service builds. `FEES` replace fees that the request leaves open. */
export function bytesOf(row: OutgoingEntity, nonce: number): string {
  const terms = evmTerms(row.terms ?? { family: 'evm-operation', call: [], tokens: [] });
  const given = (digits: string | null, otherwise: bigint) => (digits === null ? otherwise : BigInt(digits));
  const maxFeePerGas = given(terms.maxFeePerGas, FEES.maxFeePerGas);
  const tip = terms.call.type < 2 ? maxFeePerGas : given(terms.maxPriorityFeePerGas, 1n);
  const fees = { gas: given(terms.gas, FEES.gas), maxFeePerGas, maxPriorityFeePerGas: tip };
  return evmCodecOf(row.network).buildCall(terms.call, nonce, fees).bytesHex;
}

export const evmOrder = (row: OutgoingEntity, nonce = 4, unsignedHex = '0x00'): Promise<SignTransferOrder> => {
  const { nonceKey } = row.terms !== null && 'type' in row.terms.call ? row.terms.call : {};
  const keyed = nonceKey === undefined || nonceKey === '0' ? null : { nonceKey, keyedNonce: nonce };
  return orderMade<'signTransfer'>(signs, row, {
    rows: ROWS,
    payload: { unsignedHex, nonce, context: keyed },
  });
};

export const sponsoredOrder = (row: OutgoingEntity): Promise<SignSponsoredOrder> =>
  orderMade<'signSponsored'>(signs, Object.assign(row, { sponsorAddress: SPONSOR_ADDRESS }), {
    rows: ROWS,
    payload: { unsignedHex: '0x00', nonce: 4 },
  });

/** The bytes of a call without value and data on Sepolia, with any nonce. */
export function bytesWithNonce(nonce: bigint): string {
  const fees = { gasLimit: 50_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const members = { type: 'eip1559', chainId: 11_155_111n, to: TO, value: 0n, data: '', nonce, ...fees } as const;
  return Transaction.prepare(members, false).toHex({ includeSignature: false });
}

/** An authorization (EIP-7702) that the wallet's own key signed. */
export function ownAuthorization(nonce: number, chainId = 11_155_111) {
  const signed = authorization.sign(
    { chainId: BigInt(chainId), address: TOKEN.toLowerCase(), nonce: BigInt(nonce) },
    Buffer.from(SECRET).toString('hex'),
  );
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
  return { chainId, address: TOKEN, nonce, yParity: signed.yParity, r: word(signed.r), s: word(signed.s) };
}
