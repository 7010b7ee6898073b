import { evmCodecOf } from '../chains/codecs';
import type { TransferIntent } from '../chains/types';
import { newId } from '../platform/ids';
import type { CreatedKey } from '../signer/protocol';

export const TRANSFER_NETWORK = 'EthereumSepolia';
export const transferCodec = evmCodecOf(TRANSFER_NETWORK);
const FEES = { gas: 60_000n, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const VALID_MS = 60_000;

/** An order that the signer carries out for the address of this key. Each nonce serves one order. */
export function transferOrder({ publicKeyHex, sealed, dek }: CreatedKey, nonce: number, externalId: string = newId('user')) {
  const asset = { kind: 'Native' } as const;
  const from = transferCodec.addressOf(publicKeyHex);
  const intent: TransferIntent = { network: TRANSFER_NETWORK, from, to: TO, amountUnits: 1_000n, asset };
  return {
    requestId: newId('transfer'),
    intentId: `transfer:${externalId}`,
    orgId: sealed.orgId,
    keyId: sealed.keyId,
    network: TRANSFER_NETWORK,
    chainId: 11_155_111,
    intent: { from, to: TO, amountUnits: String(intent.amountUnits), asset },
    nonce,
    feeCeilingUnits: String(FEES.gas * FEES.maxFeePerGas),
    bytesHex: transferCodec.build(intent, nonce, FEES).bytesHex,
    sealed,
    dek,
    issuedAt: new Date().toISOString(),
    notAfter: new Date(Date.now() + VALID_MS).toISOString(),
  };
}
