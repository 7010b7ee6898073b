import { encodeFunctionData, type Hex, parseAbi } from 'viem';

export const CHAIN_ID = 11_155_111;
/** The contracts of account-abstraction 0.8.0, copied here from its releases. */
export const ENTRY_POINT = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
export const DELEGATE = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';

export type Call = { readonly to: string; readonly value?: string; readonly data?: string };
export const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const CALLS: readonly Call[] = [
  { to: FRIEND, value: '5' },
  { to: FRIEND.toLowerCase(), data: '0x12345678' },
];
export const authorization = { kind: 'Eip7702', address: DELEGATE, nonce: 4, chainId: CHAIN_ID };

type Field = { readonly name: string; readonly type: string };
export type Message = {
  readonly kind: 'Eip712';
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly Field[]>>;
  readonly message: Readonly<Record<string, unknown>>;
};

/** Parses `type name` pairs, as EIP-712 writes them. */
export const fields = (text: string): Field[] =>
  text.split(',').map((field) => ({ type: field.split(' ')[0] ?? '', name: field.split(' ')[1] ?? '' }));

const whole = ({ to, value = '0', data = '0x' }: Call) => ({ to, value, data });

/** A message of the form that executors of ERC-7821 verify. */
export const batchMessage = (address: string, calls: readonly Call[]): Message => ({
  kind: 'Eip712',
  domain: { name: 'Account', version: '1', chainId: CHAIN_ID, verifyingContract: address },
  types: { Execute: fields('Call[] calls,uint256 nonce'), Call: fields('address to,uint256 value,bytes data') },
  message: { calls: calls.map(whole), nonce: '7' },
});

/** An operation of the account for the entry point. The account pays nothing for the operation. */
export const operationMessage = (address: string, calls: readonly Call[]): Message => ({
  kind: 'Eip712',
  domain: { name: 'ERC4337', version: '1', chainId: CHAIN_ID, verifyingContract: ENTRY_POINT },
  types: {
    PackedUserOperation: fields(
      'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData',
    ),
  },
  message: {
    sender: address,
    nonce: '3',
    initCode: '0x',
    callData: encodeFunctionData({
      abi: parseAbi(['struct Call { address target; uint256 value; bytes data; }', 'function executeBatch(Call[] calls)']),
      args: [
        calls
          .map(whole)
          .map(({ to, value, data }) => ({ target: to.toLowerCase() as Hex, value: BigInt(value), data: data as Hex })),
      ],
    }),
    accountGasLimits: `0x${'00'.repeat(14)}ffff${'00'.repeat(14)}ffff`,
    preVerificationGas: '0',
    gasFees: `0x${'00'.repeat(32)}`,
    paymasterAndData: '0x',
  },
});

export const transferOf = (token: string, recipient: string, units: bigint): Call => ({
  to: token,
  data: encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    args: [recipient as Hex, units],
  }),
});

export const approvalOf = (token: string, spender: string, units = 2n ** 256n - 1n): Call => ({
  to: token,
  data: encodeFunctionData({
    abi: parseAbi(['function approve(address spender, uint256 value)']),
    args: [spender as Hex, units],
  }),
});

/** The body of a signature request over HTTP. */
export const smartAccountBody = (
  address: string,
  calls: readonly Call[],
  {
    message = batchMessage(address, calls),
    ...structured
  }: Readonly<Record<string, unknown>> & { readonly message?: object } = {},
) => ({
  kind: 'SvcSmartAccountTransaction',
  structured: { address, userOperations: calls, message, ...structured },
});
