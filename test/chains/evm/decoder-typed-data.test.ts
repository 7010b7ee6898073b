import { keccak256, toBytes } from 'viem/utils';
import { evmSpendsOf } from '../../../chains/decoders';

const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SPENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OWNER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const UINT256_MAX = 2n ** 256n - 1n;
const CHAIN = 11_155_111;

const fields = (text: string) =>
  text.split(',').map((field) => ({ type: field.split(' ')[0] ?? '', name: field.split(' ')[1] ?? '' }));
const AUTHORIZED = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce';
const NONCE = `0x${'ab'.repeat(32)}`;
const authorization = { from: OWNER, to: SPENDER, value: '1000000', validAfter: 0, validBefore: '9999999999', nonce: NONCE };
const details = (token: string, amount: string) => ({ token, amount, expiration: '9999999999', nonce: 0 });

type Data = {
  readonly types: Readonly<Record<string, string>>;
  readonly primaryType: string;
  readonly domain: object;
  readonly message: object;
};
const read = ({ types, primaryType, domain, message }: Data) =>
  evmSpendsOf(
    JSON.stringify({
      types: Object.fromEntries(Object.entries(types).map(([name, text]) => [name, fields(text)])),
      primaryType,
      domain,
      message,
    }),
  );

const token = { name: 'USD Coin', version: '2', chainId: CHAIN, verifyingContract: USDC.toLowerCase() };
const permit2 = { name: 'Permit2', chainId: CHAIN, verifyingContract: PERMIT2 };
const DETAILS = { PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce' };
const PERMISSIONS = { TokenPermissions: 'address token,uint256 amount' };

/** EIP-2612. */
const PERMIT: Data = {
  types: { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' },
  primaryType: 'Permit',
  domain: token,
  message: { owner: OWNER, spender: SPENDER, value: '1000000', nonce: '0', deadline: '9999999999' },
};
const DAI: Data = {
  types: { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' },
  primaryType: 'Permit',
  domain: token,
  message: { holder: OWNER, spender: SPENDER, nonce: '0', expiry: '0', allowed: true },
};
const SINGLE: Data = {
  types: { PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline', ...DETAILS },
  primaryType: 'PermitSingle',
  domain: permit2,
  message: { details: details(USDC, '5'), spender: SPENDER, sigDeadline: '9999999999' },
};
const spend = (amountUnits: bigint, contract = USDC) => ({ chainId: CHAIN, contract, recipient: SPENDER, amountUnits });

test.each<[string, Data, readonly object[]]>([
  ['EIP-2612 Permit', PERMIT, [spend(1_000_000n)]],
  [
    'EIP-2612 Permit without an expiry',
    { ...PERMIT, message: { ...PERMIT.message, value: UINT256_MAX.toString() } },
    [spend(UINT256_MAX)],
  ],
  ['a permit written in hexadecimal', { ...PERMIT, message: { ...PERMIT.message, value: '0xf4240' } }, [spend(1_000_000n)]],
  ['the permit of Dai', DAI, [spend(UINT256_MAX)]],
  ['the revoked permit of Dai', { ...DAI, message: { ...DAI.message, allowed: false } }, [spend(0n)]],
  [
    'EIP-3009 TransferWithAuthorization',
    {
      types: { TransferWithAuthorization: AUTHORIZED },
      primaryType: 'TransferWithAuthorization',
      domain: token,
      message: authorization,
    },
    [spend(1_000_000n)],
  ],
  [
    'EIP-3009 ReceiveWithAuthorization',
    {
      types: { ReceiveWithAuthorization: AUTHORIZED },
      primaryType: 'ReceiveWithAuthorization',
      domain: token,
      message: authorization,
    },
    [spend(1_000_000n)],
  ],
  ['Permit2 PermitSingle', SINGLE, [spend(5n)]],
  [
    'Permit2 PermitBatch',
    {
      types: { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', ...DETAILS },
      primaryType: 'PermitBatch',
      domain: permit2,
      message: { details: [details(USDC, '5'), details(OTHER, '7')], spender: SPENDER, sigDeadline: '1' },
    },
    [spend(5n), spend(7n, OTHER)],
  ],
  [
    'Permit2 PermitTransferFrom',
    {
      types: { PermitTransferFrom: 'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline', ...PERMISSIONS },
      primaryType: 'PermitTransferFrom',
      domain: permit2,
      message: { permitted: { token: USDC, amount: '9' }, spender: SPENDER, nonce: 0, deadline: 1 },
    },
    [spend(9n)],
  ],
  [
    'Permit2 PermitBatchTransferFrom',
    {
      types: {
        PermitBatchTransferFrom: 'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline',
        ...PERMISSIONS,
      },
      primaryType: 'PermitBatchTransferFrom',
      domain: permit2,
      message: { permitted: [{ token: USDC, amount: '9' }], spender: SPENDER, nonce: 0, deadline: 1 },
    },
    [spend(9n)],
  ],
])('from %s the decoder reads who may spend which amount', (_name, data, spends) => {
  expect(read(data)).toEqual(spends);
});

const ORDER: Data = {
  types: {
    OrderComponents:
      'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
    OfferItem: 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount',
    ConsiderationItem:
      'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient',
  },
  primaryType: 'OrderComponents',
  domain: { name: 'Seaport', version: '1.6', chainId: CHAIN, verifyingContract: OTHER },
  message: { offerer: OWNER, zone: OWNER, offer: [], consideration: [], orderType: 0, startTime: 0, endTime: 1 },
};

test.each<[string, Data]>([
  ['an order on a marketplace', ORDER],
  ['a different type that is also named Permit', { ...PERMIT, types: { Permit: 'address owner,address spender,uint256 value' } }],
  ['a permit with an additional member', { ...PERMIT, types: { Permit: `${PERMIT.types['Permit']},bytes32 more` } }],
  [
    'members in a different order',
    { ...PERMIT, types: { Permit: 'address spender,address owner,uint256 value,uint256 nonce,uint256 deadline' } },
  ],
  ['a missing chain', { ...PERMIT, domain: { name: 'USD Coin', verifyingContract: USDC } }],
  ['a missing token', { ...PERMIT, domain: { name: 'USD Coin', chainId: CHAIN } }],
  ['a spender that is not an address', { ...PERMIT, message: { ...PERMIT.message, spender: '0x12' } }],
  ['an amount that is negative', { ...PERMIT, message: { ...PERMIT.message, value: '-1' } }],
  ['an amount above its type', { ...PERMIT, message: { ...PERMIT.message, value: (UINT256_MAX + 1n).toString() } }],
  ['an amount above 160 bits', { ...SINGLE, message: { ...SINGLE.message, details: details(USDC, (2n ** 160n).toString()) } }],
  ['an amount with spaces', { ...PERMIT, message: { ...PERMIT.message, value: ' 1' } }],
  ['an amount in a list', { ...PERMIT, message: { ...PERMIT.message, value: ['1'] } }],
  ['allowed as text', { ...DAI, message: { ...DAI.message, allowed: 'false' } }],
  ['Permit2 at a different address', { ...SINGLE, domain: { ...permit2, verifyingContract: OTHER } }],
  [
    'an empty batch',
    {
      types: { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', ...DETAILS },
      primaryType: 'PermitBatch',
      domain: permit2,
      message: { details: [], spender: SPENDER, sigDeadline: '1' },
    },
  ],
  [
    'a type of its own',
    { ...PERMIT, types: { ...PERMIT.types, Mail: 'string text' }, primaryType: 'Mail', message: { text: 'hello' } },
  ],
])('the decoder reads no spends from %s', (_name, data) => {
  expect(read(data)).toBeUndefined();
});

test.each(['', 'null', '[]', '{}', '{"types":null}', '{"types":{"__proto__":[]},"primaryType":"__proto__"}'])(
  'the decoder reads no spends from %p',
  (text) => {
    expect(evmSpendsOf(text)).toBeUndefined();
  },
);

test('types that refer to each other do not cause an infinite loop', () => {
  expect(read({ ...PERMIT, types: { A: 'B b', B: 'A a' }, primaryType: 'A' })).toBeUndefined();
});

/** The published type hashes of EIP-2612, EIP-3009, the token contract of Dai and Permit2's PermitHash.sol. */
test.each<[string, Data]>([
  ['0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9', PERMIT],
  ['0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb', DAI],
  ['0xf3841cd1ff0085026a6327b620b67997ce40f282c88a8e905a7a5626e310f3d0', SINGLE],
])('the types are the published types: %s', (hash, { types, primaryType }) => {
  const { [primaryType]: first, ...others } = types;
  const encoded = Object.entries({ [primaryType]: first, ...others }).map(([name, text]) => `${name}(${text})`);
  expect(keccak256(toBytes(encoded.join('')))).toBe(hash);
});
