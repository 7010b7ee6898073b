import { evmCodecOf, evmPayloads } from '../../chains/codecs';
import type { EvmNetwork, UserCallInput } from '../../chains/evm/types';
import { AMOUNT_UNITS_MAX } from '../../domain/amounts';
import { invariant } from '../../domain/errors';
import type { SmartAccountCalls } from '../../domain/signatures';
import type { UserCall } from '../../domain/transactions';
import { contractOf } from '../../domain/transfers';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { whyNoSponsoring } from '../fee-sponsors/sponsoring';
import { addressAt, badField } from '../request-faults';
import type { Prepared } from './payloads';

type Authorization = { readonly kind: 'Eip7702'; readonly address: string; readonly nonce: number; readonly chainId: number };
export type SmartAccountBody = {
  readonly kind: 'SvcSmartAccountTransaction';
  readonly structured: {
    readonly address: string;
    readonly userOperations: readonly UserCallInput[];
    readonly message: {
      readonly kind: 'Eip712';
      readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
      readonly domain: Readonly<Record<string, unknown>>;
      readonly message: Readonly<Record<string, unknown>>;
    };
    readonly authorization?: Authorization | undefined;
  };
  /**
   * These two members of the published interface have no effect: the response contains the signatures, and the caller sends the
   * transaction.
   */
  readonly signatures?: Readonly<Record<string, unknown>> | undefined;
  readonly transactionReference?: string | undefined;
};

const ZERO_ADDRESS = `0x${'00'.repeat(20)}`;
const FIELD = 'structured';

/**
 * Prepares calls that the key's own account makes once a third party submits the signed message. The message must commit to
 * exactly these calls. `typedData` is the complete message, for the chain of `network`. Throws `InvalidRequest` with the path
 * of the fault.
 */
export function prepareSmartAccount(
  key: KeyEntity,
  { structured }: SmartAccountBody,
  { network, typedData }: { readonly network: EvmNetwork; readonly typedData: string },
): Prepared {
  const impossible = whyNoSponsoring(network.name);
  if (impossible !== undefined) throw badField(`${FIELD}.message.domain.chainId`, `cannot be used: ${impossible}`);
  const codec = evmCodecOf(network.name);
  invariant(key.publicKey, 'a key that signs has its public key');
  const address = codec.addressOf(key.publicKey);
  const named = addressAt(`${FIELD}.address`, () => codec.parseAddress(structured.address));
  if (named !== address) throw badField(`${FIELD}.address`, `must be ${address}, the account of the key`);
  const calls = codec.userCallsOf(structured.userOperations, address, `body.${FIELD}.userOperations`);
  const zeroAt = calls.findIndex(({ to }) => to === ZERO_ADDRESS);
  // The code of some accounts treats the zero address as the account itself (ERC-7821), which would hide the real recipients.
  if (zeroAt >= 0) throw badField(`${FIELD}.userOperations.${zeroAt}.to`, 'must not be the zero address');
  assertCountable(network, calls);
  evmPayloads.assertCommitsTo(typedData, { address, calls }, `body.${FIELD}.message`);
  const authorization = authorizationOf(network, structured.authorization);
  return {
    payload: { kind: 'SvcSmartAccountTransaction', network: network.name, address, calls, typedData, authorization },
    claim: null,
  };
}

/** Throws if the movements of one asset, added up over all calls, exceed the largest valid amount. */
function assertCountable({ name }: EvmNetwork, calls: readonly UserCall[]): void {
  const sums = new Map<string | null, bigint>();
  for (const call of calls) {
    const { asset, amountUnits } = evmCodecOf(name).effectOf({ type: 2, accessList: [], authorizationList: [], ...call });
    const contract = asset.kind === 'Call' ? null : contractOf(asset);
    sums.set(contract, (sums.get(contract) ?? 0n) + amountUnits);
  }
  if ([...sums.values()].some((sum) => sum > AMOUNT_UNITS_MAX))
    throw badField(`${FIELD}.userOperations`, 'must not move more than 2^256 - 1 units');
}

/**
 * Accepts only the code of the known delegate, because other code could do anything with the account. The authorization must be
 * for this chain, because an authorization for every chain would also be valid on mainnets.
 */
function authorizationOf(
  { name, chainId }: EvmNetwork,
  authorization: Authorization | undefined,
): SmartAccountCalls['authorization'] {
  if (authorization === undefined) return null;
  const at = `${FIELD}.authorization`;
  if (authorization.chainId !== chainId) throw badField(`${at}.chainId`, `must be ${chainId}, the chain of ${name}`);
  const delegate = evmPayloads.smartAccountDelegate;
  const address = addressAt(`${at}.address`, () =>
    evmCodecOf(name).parseAddress(`0x${authorization.address.replace(/^0x/, '')}`),
  );
  if (address !== delegate)
    throw badField(`${at}.address`, `must be ${delegate}: the account may be given no other code together with its calls`);
  return { chainId, address, nonce: authorization.nonce };
}
