import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import { NETWORK, p2wpkh, TEST_NETWORK } from '@scure/btc-signer';
import { publicKeyToAddress } from 'viem/utils';
import { z } from 'zod';
import type { Organization } from './organization';

const Result = z.object({ attestation: z.string() });
const Attestation = z.object({
  organizationId: z.string(),
  keyId: z.string(),
  network: z.string(),
  address: z.string(),
  publicKey: z.string(),
  isKnownOutside: z.boolean(),
});

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const evmAddress = (publicKey: string) => publicKeyToAddress(`0x${secp256k1.Point.fromHex(publicKey).toHex(false)}`);
const solanaAddress = (publicKey: string) => base58.encode(bytesOf(publicKey));

/** Computes the address of a key with code that is independent of the signer. */
const ADDRESSES: Readonly<Record<string, (publicKey: string) => string | undefined>> = {
  EthereumSepolia: evmAddress,
  PolygonAmoy: evmAddress,
  Ethereum: evmAddress,
  Bitcoin: (publicKey) => p2wpkh(bytesOf(publicKey), NETWORK).address,
  BitcoinSignet: (publicKey) => p2wpkh(bytesOf(publicKey), TEST_NETWORK).address,
  SolanaDevnet: solanaAddress,
  Solana: solanaAddress,
};

/**
 * An attestation must be true, and its key must be a key that the signer made for the organisation. Any other attestation is a
 * gain.
 */
export function attestedGain(result: unknown, { orgId, wallets, outsider }: Organization): string | undefined {
  const { attestation } = Result.parse(result);
  const said = Attestation.parse(JSON.parse(attestation));
  const keys = [outsider, ...Object.values(wallets).map(({ key }) => key)];
  const key = keys.find(({ sealed }) => sealed.keyId === said.keyId);
  const isTrue =
    said.organizationId === orgId &&
    !said.isKnownOutside &&
    key?.publicKeyHex === said.publicKey &&
    said.address === ADDRESSES[said.network]?.(said.publicKey);
  return isTrue ? undefined : `a false statement was attested: ${attestation}`;
}
