import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evmCodecOf } from '../../chains/codecs';
import type { TransferIntent } from '../../chains/types';
import { SIGNER_SWITCH_NAMES, type SignerSwitch } from '../../domain/signer-switches';
import { OrderIntent } from '../../signer/judging/order-intent';
import type { SigningPayload } from '../../signer/judging/signing-payload';
import { createFileKek, type KekProvider } from '../../signer/keys/kek';
import { createPortableSigning, type SealedSigning } from '../../signer/keys/sealed-signing';
import { openOperations as openSigner } from '../../signer/orders/operations';
import type { CreatedKey, SignPayloadOrder, SignTransferOrder } from '../../signer/protocol';
import type { Fence } from '../../signer/record/journal/journal';
import { openJournal as openJournalOf } from '../../signer/record/journal/open-journal';

export const NOW_MS = Date.parse('2026-01-02T03:04:05.000Z');
export const ORG = 'or-00000-00000-0000000000000001';
export const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
export const FEES = { gas: 60_000n, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
export const MAX_FEE_UNITS = 60_000_000_000_000n;

export const codec = evmCodecOf('EthereumSepolia');
export const kekOf = (byte: number) => createFileKek(Buffer.alloc(32, byte));

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'signer-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const fail = (cause: Error) => {
  throw cause;
};

export const openJournal = (stateDir: string, fence?: Fence) => openJournalOf({ stateDir, kek: kekOf(7), onBroken: fail, fence });

/** The signer's operations on a state folder, without a signer process. */
export async function openOperations(
  folder: string,
  nowMs: () => number = () => NOW_MS,
  signingOf: (kek: KekProvider) => SealedSigning = createPortableSigning,
  switches: readonly SignerSwitch[] = SIGNER_SWITCH_NAMES,
  operatorKey?: KeyObject,
) {
  const kek = kekOf(7);
  const { operations, journal, keyLog, log, charters, keyStores, stores, attestor, close } = await openSigner({
    stateDir: folder,
    kek,
    signing: signingOf(kek),
    switches: new Set(switches),
    nowMs,
    operatorKey,
    onBroken: fail,
  });
  return { kek, journal, keyLog, log, charters, keyStores, stores, attestor, ...operations, close };
}

export const keyOrder = (keyId: string, orgId = ORG) => ({ orgId, keyId, scheme: 'ECDSA', curve: 'secp256k1' }) as const;

type Wanted = { readonly intent?: Partial<TransferIntent>; readonly nonce?: number; readonly fees?: typeof FEES };

/** An honest order for a key. Bytes and intent describe the same transfer, even with the changes in the last argument. */
export function orderFor(
  created: CreatedKey,
  requestId: string,
  { intent: changes = {}, nonce = 4, fees = FEES }: Wanted = {},
): SignTransferOrder {
  const from = codec.addressOf(created.publicKeyHex);
  const intent: TransferIntent = {
    network: 'EthereumSepolia',
    from,
    to: TO,
    amountUnits: 1_000n,
    asset: { kind: 'Native' },
    ...changes,
  };
  return {
    requestId,
    orgId: created.sealed.orgId,
    keyId: created.sealed.keyId,
    network: intent.network,
    chainId: 11_155_111,
    intent: {
      from: intent.from,
      to: intent.to,
      amountUnits: String(intent.amountUnits),
      asset: OrderIntent.shape.asset.parse(intent.asset),
    },
    ...(intent.encrypted === undefined ? {} : { encrypted: intent.encrypted }),
    nonce,
    feeCeilingUnits: String(MAX_FEE_UNITS),
    bytesHex: codec.build(intent, nonce, fees).bytesHex,
    sealed: created.sealed,
    dek: created.dek,
    issuedAt: new Date(NOW_MS).toISOString(),
    notAfter: new Date(NOW_MS + 60_000).toISOString(),
  };
}

/** An order for a signature that does not need an approval. */
export const payloadOrderFor = ({ sealed, dek }: CreatedKey, requestId: string, payload: SigningPayload): SignPayloadOrder => ({
  ...{ requestId, orgId: sealed.orgId, keyId: sealed.keyId, payload, sealed, dek, evidence: [], policyEpoch: 3 },
  issuedAt: new Date(NOW_MS).toISOString(),
  notAfter: new Date(NOW_MS + 60_000).toISOString(),
});

export const refusedAs = (reason: string) => expect.objectContaining({ name: 'Refusal', reason });
