import { hashAuthorization, parseTransaction, serializeTransaction } from 'viem/utils';
import { AppError, invariant } from '../../domain/errors';
import { asHex, type Hex } from './call';
import { signerOf } from './signatures';
import type { EvmNetwork, FeeTerms, Signature, Sponsored } from './types';
import { DELEGATE, ENTRY_POINT, sponsoredCall, userOperationDigest, withOperationSignature } from './user-operations';

/** Stands for `r` and `s` until the sender has signed. A real value has the same length, so the call data keeps its size. */
const STAND_IN = `0x${'11'.repeat(32)}` as const;
const STAND_IN_SIGNATURE = `${STAND_IN}${STAND_IN.slice(2)}1b`;

/** The transaction is of type 4 if the sender must still delegate, and of type 2 otherwise. */
export function buildSponsored(
  { chainId }: EvmNetwork,
  { operation, sponsor, authorizationNonce }: Sponsored,
  nonce: number,
  { gas, maxFeePerGas, maxPriorityFeePerGas }: FeeTerms,
): { readonly bytes: Hex; readonly operationHash: string } {
  const data = asHex(sponsoredCall(operation, STAND_IN_SIGNATURE, sponsor));
  const base = { chainId, nonce, to: ENTRY_POINT, value: 0n, data, gas, maxFeePerGas, maxPriorityFeePerGas } as const;
  const bytes =
    authorizationNonce === null
      ? serializeTransaction({ ...base, type: 'eip1559' })
      : serializeTransaction({
          ...base,
          type: 'eip7702',
          authorizationList: [{ chainId, address: DELEGATE, nonce: authorizationNonce, yParity: 0, r: STAND_IN, s: STAND_IN }],
        });
  return { bytes, operationHash: userOperationDigest(operation, chainId) };
}

export function sponsoredFeesIn(bytesHex: string): FeeTerms {
  const { gas, maxFeePerGas, maxPriorityFeePerGas = 0n } = parseTransaction(asHex(bytesHex));
  invariant(gas !== undefined && maxFeePerGas !== undefined, 'the built bytes contain gas and price');
  return { gas, maxFeePerGas, maxPriorityFeePerGas };
}

export function completeSponsored({ chainId }: EvmNetwork, bytesHex: string, signatures: readonly Signature[]): Hex {
  const parsed = parseTransaction(asHex(bytesHex));
  const { data, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = parsed;
  const [ofOperation, ofAuthorization, ...others] = signatures;
  const [authorization] = parsed.authorizationList ?? [];
  const isWhole = (authorization === undefined) === (ofAuthorization === undefined) && others.length === 0;
  invariant(data !== undefined && ofOperation && isWhole, 'every required signature is present');
  const { sender, digestHex, dataHex } = withOperationSignature(data, chainId, ofOperation);
  assertSender(sender, digestHex, ofOperation);
  const base = {
    chainId,
    nonce,
    to: ENTRY_POINT,
    value: 0n,
    data: asHex(dataHex),
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
  } as const;
  if (authorization === undefined || ofAuthorization === undefined) return serializeTransaction({ ...base, type: 'eip1559' });
  const { nonce: own } = authorization;
  assertSender(sender, hashAuthorization({ chainId, contractAddress: DELEGATE, nonce: own }), ofAuthorization);
  const { r, s, recoveryId: yParity } = ofAuthorization;
  const authorizationList = [{ chainId, address: DELEGATE, nonce: own, yParity, r: asHex(r), s: asHex(s) }] as const;
  return serializeTransaction({ ...base, type: 'eip7702', authorizationList });
}

function assertSender(sender: string, digestHex: string, signature: Signature): void {
  if (signerOf(digestHex, signature) === sender) return;
  throw new AppError('EnvelopeMismatch', 'The signature does not belong to this operation and its sender');
}
