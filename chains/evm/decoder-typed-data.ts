import { addressIn, type Members, membersIn, NotTold, typedListIn, unsignedIn } from './decoder-typed-values';
import type { Spend } from './types';

type Field = { readonly name: string; readonly type: string };
export type Types = Readonly<Record<string, readonly Field[] | undefined>>;
type Domain = { readonly chainId: number; readonly contract: string };
type Read = (message: Members, domain: Domain) => readonly Spend[];

/** Permit2 has this address on every chain: https://docs.uniswap.org/contracts/v4/deployments. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const UINT256_MAX = 2n ** 256n - 1n;
const ARRAYS = /(?:\[\d*\])+$/;

/** The spender decides where the tokens go, so the spender is treated as the recipient. */
const permit2 =
  (detailsOf: (message: Members) => readonly Members[], bits: bigint): Read =>
  (message, { chainId, contract }) => {
    if (contract !== PERMIT2) throw new NotTold();
    const recipient = addressIn(message['spender']);
    return detailsOf(message).map(({ token, amount }) => ({
      chainId,
      contract: addressIn(token),
      recipient,
      amountUnits: unsignedIn(amount, bits),
    }));
  };

const authorized: Read = ({ to, value }, domain) => [
  { ...domain, recipient: addressIn(to), amountUnits: unsignedIn(value, 256n) },
];

const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)';
const AUTHORIZED = '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';

/**
 * Readers of typed data that, once signed, lets others take tokens. The keys are the encoded message types (EIP-712). Sources:
 * EIP-2612 and EIP-3009 (https://eips.ethereum.org), the permit of Dai
 * (https://github.com/makerdao/dss/blob/master/src/dai.sol), and Permit2 (https://github.com/Uniswap/permit2, PermitHash.sol).
 */
const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  [
    'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    ({ spender, value }, domain) => [{ ...domain, recipient: addressIn(spender), amountUnits: unsignedIn(value, 256n) }],
  ],
  [
    'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    ({ spender, allowed }, domain) => {
      if (typeof allowed !== 'boolean') throw new NotTold();
      return [{ ...domain, recipient: addressIn(spender), amountUnits: allowed ? UINT256_MAX : 0n }];
    },
  ],
  [`TransferWithAuthorization${AUTHORIZED}`, authorized],
  [`ReceiveWithAuthorization${AUTHORIZED}`, authorized],
  [
    `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    permit2(({ details }) => [membersIn(details)], 160n),
  ],
  [
    `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`,
    permit2(({ details }) => typedListIn(details), 160n),
  ],
  [
    `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    permit2(({ permitted }) => [membersIn(permitted)], 256n),
  ],
  [
    `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    permit2(({ permitted }) => typedListIn(permitted), 256n),
  ],
]);

/** `encodeType` of EIP-712: the type, followed by all types to which this type refers, sorted by name. */
export function encodedType(primaryType: string, types: Types): string {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || types[name] === undefined) return;
    found.add(name);
    for (const { type } of types[name]) visit(type.replace(ARRAYS, ''));
  };
  visit(primaryType);
  found.delete(primaryType);
  return [primaryType, ...[...found].sort()]
    .map((name) => `${name}(${(types[name] ?? []).map(({ type, name: member }) => `${type} ${member}`).join(',')})`)
    .join('');
}

/** Throws if the domain lacks its chain or its contract, because the domain then does not identify the token. */
function domainIn(value: unknown): Domain {
  const { chainId, verifyingContract } = membersIn(value);
  const chain = Number(unsignedIn(chainId, 53n));
  return { chainId: chain, contract: addressIn(verifyingContract) };
}

/**
 * Undefined for typed data that this code does not recognise exactly. A marketplace order is not recognised, because data
 * outside the order defines the price and the taker.
 */
export function readTypedData(text: string): readonly Spend[] | undefined {
  try {
    const { types, primaryType, domain, message } = membersIn(JSON.parse(text));
    const read = READERS.get(encodedType(String(primaryType), membersIn(types) as Types));
    const spends = read?.(membersIn(message), domainIn(domain)) ?? [];
    return spends.length === 0 ? undefined : spends;
  } catch {
    return undefined;
  }
}
